"""``rocstats sketch``: count the scores of a file, so that counts leave a site and rows do not."""

from __future__ import annotations

import argparse
from typing import Any

from rocstats.cli.arguments import SPELT, add_data_arguments, names, read_sample
from rocstats.cli.large_files import add_memory_argument
from rocstats.errors import InvalidOptionError, named

__all__ = ["add_to", "analyse", "run"]


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "sketch",
        description="Count the scores of a file by class, and write the counts as JSON: they can "
        "leave a site when rows may not. rocstats pool puts those of several sites together. With "
        "--pooled, the second round: the sums that comparisons of markers need.",
        epilog="Example (rocstats demo --data writes the file):\n"
        "  rocstats sketch breast_cancer.csv --outcome diagnosis --positive malignant "
        "--markers mean_radius --site Leeds --least-count 5 -o leeds.json",
        everyday="file outcome positive markers site least_count cuts pooled lower_is_positive "
        "nan_policy output json",
        allow_abbrev=False,
    )
    add_data_arguments(parser)
    add_memory_argument(parser)
    add = parser.add_argument
    add("--site", metavar="NAME", help="the name of the site")
    add(
        "--least-count",
        type=int,
        default=1,
        metavar="K",
        help="every bin holds at least K positives and K negatives (default: 1, every score is "
        "counted, which tells of single patients)",
    )
    add(
        "--cuts",
        type=names,
        action="extend",
        metavar="S,S",
        help="where bins may be cut, the most important first",
    )
    add(
        "--pooled",
        metavar="FILE",
        help="second round: write the sums of this site, by the pooled table of all",
    )
    add("-o", "--output", required=True, metavar="FILE", help="the JSON file to write")
    add("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run, spelt=SPELT)


def run(args: argparse.Namespace) -> int:
    """Count the scores, write them, and say what was written."""
    from rocstats.cli.write import print_answer

    return print_answer("sketch", *analyse(args), as_json=args.json)


def analyse(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Count the scores of every marker; return built-in types, and text."""
    import rocstats as rs
    from rocstats.cli.write import check_writable, keep_file, sample_dict

    check_writable(args.output, (".json",))
    keep_file(args.output, args.file, "the data")
    keep_file(args.output, args.pooled, "the pooled counts")
    sample = read_sample(args)
    if args.pooled is not None:
        return _second_round(args, sample)
    found = rs.sketch(
        sample, least_count=args.least_count, cuts=_numbers(args.cuts), site=args.site
    )
    found.save(args.output)
    bins = [one.bins.size for one in found.sketches]
    content = {
        "sample": sample_dict(found),
        "site": found.site,
        "least_count": found.least_count,
        "exact": found.is_exact,
        "bins": bins,
        "output": args.output,
    }
    kind = "distinct scores" if found.is_exact else "bins of scores"
    lines = [
        str(found),
        *(
            f"{name}: {count} {kind}" + _bounds(rs, found, name)
            for name, count in zip(found.markers, bins, strict=True)
        ),
        f"Wrote {args.output}: counts by class and score, and no row.",
    ]
    if found.least_count == 1:
        lines.append(
            "Every score is counted, so a count of 1 is one patient; --least-count 5 hides them."
        )
    return content, "\n".join(lines)


def _bounds(rs: Any, found: Any, name: str) -> str:
    told = rs.auc(found, marker=name).details
    if "value_low" not in told:
        return ""
    return f", the AUC from {told['value_low']:.4f} to {told['value_high']:.4f}"


def _numbers(cuts: list[str] | None) -> list[float] | None:
    if cuts is None:
        return None
    try:
        return [float(cut) for cut in cuts]
    except ValueError:
        raise InvalidOptionError(
            f"{named('cuts')} must be numbers, got {', '.join(cuts)}."
        ) from None


def _second_round(args: argparse.Namespace, sample: Any) -> tuple[dict[str, Any], str]:
    import rocstats as rs
    from rocstats.cli.write import sample_dict

    if args.site is None or args.least_count != 1 or args.cuts is not None:
        raise InvalidOptionError(
            f"The second round takes {named('pooled')} and {named('site')}, as in the sketch of "
            f"the site, and neither {named('least_count')} nor {named('cuts')}."
        )
    pooled = rs.SiteSketch.load(args.pooled)
    told = rs.site_moments(sample, pooled, site=args.site)
    told.save(args.output)
    content = {
        "sample": sample_dict(sample),
        "site": args.site,
        "measure": told.measure,
        "output": args.output,
    }
    return content, f"{told}\nWrote {args.output}: sums by class, and no row."
