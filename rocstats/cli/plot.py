"""``rocstats plot``: draw the markers in a file for a journal."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rocstats.cli.arguments import SPELT, add_data_arguments, read_sample
from rocstats.errors import InvalidOptionError, check_option, named

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocstats.data.sample import ScoredSample

__all__ = ["add_arguments", "add_to", "analyse", "run"]

_MM = 25.4  # in an inch
_WIDTHS = {"single": 89.0, "middle": 120.0, "double": 183.0}  # mm of a journal's columns
_LEAST, _MOST = 30.0, 600.0  # mm
_DPI = (72.0, 2400.0)


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "plot",
        description="Draw the markers in a file: their ROC curves, the curves with confidence "
        "bands, a forest of their AUCs (or of differences, with --versus), or the distribution of "
        "their scores in both classes.",
        epilog="Example (rocstats demo --data writes the file):\n"
        "  rocstats plot curve breast_cancer.csv --outcome diagnosis --positive malignant "
        "--markers mean_radius,mean_texture --width single -o roc.pdf",
        allow_abbrev=False,
    )
    add_arguments(parser)
    parser.set_defaults(run=run, spelt=SPELT | {"kind": "KIND"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("kind", metavar="KIND", help="curve, band, forest or distribution")
    add_data_arguments(parser)
    add(
        *("-o", "--output"),
        required=True,
        metavar="FILE",
        help="the picture: .svg, .pdf, .png or .tiff",
    )
    add(
        "--width",
        default="single",
        metavar="MM",
        help="in millimetres, or single (89), middle (120) or double (183), as columns of journals "
        "are (default: single)",
    )
    add("--height", type=float, metavar="MM", help="default: what the picture needs")
    add("--dpi", type=float, default=300.0, metavar="DPI", help="of .png and .tiff (default: 300)")
    add("--versus", metavar="MARKER", help="forest: differences of the others from this marker")
    add(
        "--threshold",
        type=_numbers,
        default=[],
        metavar="X,Y",
        help="distribution: draw a line there (with a minus sign: --threshold=-1)",
    )
    add("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Draw the picture and say where it is."""
    from rocstats.cli.write import print_answer

    return print_answer("plot", *analyse(args), as_json=args.json)


def analyse(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Draw the picture; return what was drawn, as built-in types and as text."""
    from pathlib import Path

    from rocstats.cli.write import check_writable, keep_file, sample_dict
    from rocstats.errors import check_confidence_level
    from rocstats.places import check_ending, write_whole
    from rocstats.plots.pictures import FORMS, check_drawing, picture_bytes

    check_option("kind", args.kind, _KINDS)
    _check_uses(args)
    ending = Path(args.output).suffix.lower()
    if not ending:
        raise InvalidOptionError(
            f"{args.output} does not say what to write; end the name in .svg, .pdf, .png or .tiff."
        )
    check_ending(args.output, FORMS)
    check_writable(args.output)
    keep_file(args.output, args.file, "the data")
    check_confidence_level(args.confidence_level)
    check_drawing()
    width = _width(args.width)
    if args.height is not None:
        _check_length("height", args.height)
    if not _DPI[0] <= args.dpi <= _DPI[1]:
        raise InvalidOptionError(
            f"{named('dpi')} must be from {_DPI[0]:g} to {_DPI[1]:g}, got {args.dpi:g}."
        )
    sample = read_sample(args)
    height, draw = _KINDS[args.kind](sample, args, width)
    height = height if args.height is None else args.height
    drawn = picture_bytes(draw, ending, size=(width / _MM, height / _MM), dpi=args.dpi)
    write_whole(Path(args.output), drawn)
    content = {"sample": sample_dict(sample), "kind": args.kind, "file": args.output}
    content |= {"width_mm": width, "height_mm": height, "dpi": args.dpi}
    size = f"{width:g} by {height:.4g} mm"
    return content, f"Wrote {args.output} ({args.kind}, {size})"


def _check_uses(args: argparse.Namespace) -> None:
    """Refuse an option that the picture would not show."""
    for option, given, kind in (
        ("versus", args.versus is not None, "forest"),
        ("threshold", bool(args.threshold), "distribution"),
    ):
        if given and args.kind != kind:
            raise InvalidOptionError(
                f"{named(option)} has no part in a {args.kind}; draw a {kind}, or leave it out."
            )


def _width(text: str) -> float:
    if text in _WIDTHS:
        return _WIDTHS[text]
    try:
        width = float(text)
    except ValueError:
        raise InvalidOptionError(
            f"{named('width')} must be a number of millimetres or one of "
            f"{', '.join(_WIDTHS)}, got {text!r}."
        ) from None
    _check_length("width", width)
    return width


def _check_length(name: str, value: float) -> None:
    if not (math.isfinite(value) and _LEAST <= value <= _MOST):
        raise InvalidOptionError(
            f"{named(name)} must be from {_LEAST:g} to {_MOST:g} millimetres, got {value:g}."
        )


# ------------------------------------------------------------------------------------ the pictures


Picture = tuple[float, Callable[["Figure"], object]]  # its height in mm, and how it is drawn


def _curve(sample: ScoredSample, args: argparse.Namespace, width: float) -> Picture:
    import rocstats as rs

    curves = rs.roc_curves(sample)
    return width + 4.0 * max(0, len(sample.markers) - 6), lambda f: curves.plot(f.subplots())


def _band(sample: ScoredSample, args: argparse.Namespace, width: float) -> Picture:
    import rocstats as rs

    bands = [
        rs.roc_band(sample, marker=name, confidence_level=args.confidence_level)
        for name in sample.markers
    ]

    def draw(figure: Figure) -> None:
        ax = figure.subplots()
        for band in bands:
            band.plot(ax)

    return width + 4.0 * max(0, len(bands) - 6), draw


def _forest(sample: ScoredSample, args: argparse.Namespace, width: float) -> Picture:
    import rocstats as rs

    level = args.confidence_level
    if args.versus is None:
        found = rs.estimate(sample, measures="auc")
        return 20.0 + 7.0 * len(sample.markers), lambda f: found.plot(
            f.subplots(), confidence_level=level
        )
    compared = rs.compare(sample)
    return 20.0 + 7.0 * (len(sample.markers) - 1), lambda f: compared.plot(
        f.subplots(), versus=args.versus, confidence_level=level
    )


def _distribution(sample: ScoredSample, args: argparse.Namespace, width: float) -> Picture:
    import numpy as np

    from rocstats.data.sample import refuse_design
    from rocstats.plots.distribution_plot import draw_distribution

    refuse_design(sample)
    many = len(sample.markers)
    columns = 1 if many == 1 or width < _WIDTHS["middle"] else 2
    rows = math.ceil(many / columns)
    classes = (str(sample.pos_label), str(sample.neg_label))

    def draw(figure: Figure) -> None:
        axes = figure.subplots(rows, columns, squeeze=False).ravel()
        for ax in axes[many:]:
            ax.remove()
        for ax, name in zip(axes[:many], sample.markers, strict=True):
            scores = sample.scores[sample.marker(name)]
            use = np.isfinite(scores)
            parts = (scores[use & sample.positive], scores[use & ~sample.positive])
            draw_distribution(*parts, classes, ax, x_label=name, thresholds=args.threshold)

    return rows * 0.72 * width / columns, draw


_KINDS: dict[str, Callable[[ScoredSample, argparse.Namespace, float], Picture]] = {
    "curve": _curve,
    "band": _band,
    "forest": _forest,
    "distribution": _distribution,
}


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"numbers separated by commas were expected, got {text!r}"
        ) from None
