"""Curves that can be drawn: one set of keywords for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocstats.errors import Polite

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.plots.plane import Line

__all__ = ["DrawnCurve"]


class DrawnCurve(Polite):
    """A curve that says by `_draw` how it is drawn."""

    __slots__ = ()

    def plot(
        self,
        ax: Axes | None = None,
        *,
        label: str | None = None,
        color: str | tuple[float, ...] | None = None,
        linestyle: str | None = None,
        linewidth: float | None = None,
    ) -> Axes:
        """Draw the curve with matplotlib and return the axes.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure of pyplot, which a notebook shows, and
            ``matplotlib.pyplot.show()`` elsewhere.
        label : str, optional
            What the legend says; by default the name and the area.
        color : str or tuple of float, optional
            Colour of the line, and of what belongs to it; by default the next of a set that
            colour-blind readers tell apart.
        linestyle : str, optional
            Dashes of the line, such as ``"--"``; by default they go with the colour.
        linewidth : float, optional
            Width of the line in points.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from rocstats.plots.plane import Line

        line = Line(label=label, color=color, linestyle=linestyle, linewidth=linewidth)
        return self._draw(ax, line)

    def _draw(self, ax: Axes | None, line: Line) -> Axes:
        raise NotImplementedError
