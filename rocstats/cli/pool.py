"""``rocstats pool``: the sketches of several sites together, pooled and within sites."""

from __future__ import annotations

import argparse
from typing import Any

from rocstats.cli.arguments import names

__all__ = ["add_to", "analyse", "run"]


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "pool",
        description="Put the counts that several sites wrote with rocstats sketch together: the "
        "AUC of all pairs, the AUC of pairs within sites, and whether the sites agree.",
        epilog="Example (two sites wrote their sketches before):\n"
        "  rocstats pool leeds.json turin.json -o pooled.json",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="sketches, one of each site")
    add(
        "--markers",
        type=names,
        action="extend",
        metavar="A,B",
        help="markers to estimate (default: all)",
    )
    add(
        "--weights",
        choices=("pairs", "inverse_variance"),
        default="pairs",
        help="how sites count within sites: by their pairs (default), or by the inverse of the "
        "variance",
    )
    add(
        "--moments",
        type=names,
        action="extend",
        metavar="FILE,FILE",
        help="sums of every site, of the second round: compares the markers",
    )
    add("--confidence-level", type=float, default=0.95, metavar="LEVEL", help="default: 0.95")
    add("-o", "--output", metavar="FILE", help="write the pooled counts as JSON")
    add("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run, spelt={"marker": "--markers"})


def run(args: argparse.Namespace) -> int:
    """Pool the sketches and print what was found."""
    from rocstats.cli.write import print_answer

    return print_answer("pool", *analyse(args), as_json=args.json)


def analyse(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Estimate every marker, pooled and within sites; return built-in types, and text."""
    import rocstats as rs
    from rocstats.cli.write import check_writable, keep_file, sample_dict

    if args.output is not None:
        check_writable(args.output, (".json",))
        for file in args.files:
            keep_file(args.output, file, "the sketch of a site")
        for file in args.moments or ():
            keep_file(args.output, file, "the sums of a site")
    sketches = [rs.SiteSketch.load(file) for file in args.files]
    moments = None
    if args.moments is not None:
        moments = [rs.SiteMoments.load(file) for file in args.moments]
    pooled = rs.pool(sketches, moments=moments)
    chosen = args.markers or pooled.markers
    options = {"confidence_level": args.confidence_level}
    areas = [rs.stratified_auc(pooled, marker=name, weights=args.weights) for name in chosen]
    content: dict[str, Any] = {
        "sample": sample_dict(pooled),
        "sites": [str(site.site) for site in pooled.sites],
        "exact": pooled.is_exact,
        "areas": [one.to_dict(**options) for one in areas],
    }
    parts = [str(pooled), *(one.statement(**options).as_text() for one in areas)]
    if moments is not None:
        pairs = rs.compare(pooled.only(chosen)).pairwise(**options)
        content["comparison"] = pairs.to_dict()
        parts.append(pairs.statement().as_text())
    if args.output is not None:
        pooled.save(args.output)
        parts.append(f"Wrote {args.output}: the pooled counts.")
    return content, "\n\n".join(parts)
