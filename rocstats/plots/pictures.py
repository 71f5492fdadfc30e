"""Pictures: drawings as SVG text or another file, the same bytes each time."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rocstats.errors import require_library

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, FigureBase

__all__ = ["FORMS", "check_drawing", "picture_bytes", "svg_of", "svg_text"]

FORMS = (".svg", ".pdf", ".png", ".tiff", ".tif")  # that a picture is written as
_LETTERS = 8.0  # points, as journals print them


def check_drawing() -> None:
    """Raise `MissingDependencyError` unless matplotlib is there."""
    require_library("matplotlib", "Drawing", "plot")


def svg_text(draw: Callable[[Axes], object], *, size: tuple[float, float] = (6.4, 4.4)) -> str:
    """Return what `draw` draws on new axes as an SVG without a date.

    Parameters
    ----------
    draw : draws on the axes it is given
    size : width and height in inches
    """
    check_drawing()
    from matplotlib import style
    from matplotlib.figure import Figure

    with style.context("default"):  # whatever the caller's pictures look like
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


def picture_bytes(
    draw: Callable[[Figure], object], ending: str, *, size: tuple[float, float], dpi: float = 300.0
) -> bytes:
    """Return what `draw` draws on a new figure as the bytes of a file without a date.

    Parameters
    ----------
    draw : draws on the figure it is given
    ending : one of `FORMS`
    size : width and height in inches
    dpi : dots an inch of .png and .tiff
    """
    check_drawing()
    from matplotlib import style
    from matplotlib.figure import Figure

    form = {".tif": "tiff"}.get(ending, ending[1:])
    undated: dict[str, Any] = {
        "svg": {"metadata": {"Date": None, "Creator": None}},
        "pdf": {"metadata": {"CreationDate": None, "Creator": None, "Producer": None}},
        "png": {"metadata": {"Software": None}},
        "tiff": {"pil_kwargs": {"compression": "tiff_lzw"}},
    }
    drawn = io.BytesIO()
    looks: Any = {"font.size": _LETTERS, "axes.linewidth": 0.8, "pdf.fonttype": 42}
    looks |= {"svg.hashsalt": "rocstats", "svg.fonttype": "none"}
    with style.context(["default", looks]):
        figure = Figure(figsize=size, layout="constrained", dpi=dpi)
        draw(figure)
        figure.savefig(drawn, format=form, dpi=dpi, **undated[form])
    return drawn.getvalue()
