"""Pictures: drawings as SVG text, the same bytes each time."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from rocstats.errors import MissingDependencyError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase

__all__ = ["check_drawing", "svg_of", "svg_text"]


def check_drawing() -> None:
    """Raise `MissingDependencyError` unless matplotlib is there."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingDependencyError(
            'Drawing needs matplotlib; install it with: pip install "rocstats[plot]".'
        ) from None


def svg_text(draw: Callable[[Axes], object], *, size: tuple[float, float] = (6.4, 4.4)) -> str:
    """Return what `draw` draws on new axes as an SVG without a date.

    Parameters
    ----------
    draw : draws on the axes it is given
    size : width and height in inches
    """
    check_drawing()
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    draw(figure.subplots())
    return svg_of(figure)


def svg_of(figure: FigureBase) -> str:
    """Return a figure as an SVG without a date or a random name."""
    from matplotlib import rc_context

    drawn = io.BytesIO()
    with rc_context({"svg.hashsalt": "rocstats", "svg.fonttype": "none"}):
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})  # type: ignore[attr-defined]
    return drawn.getvalue().decode()
