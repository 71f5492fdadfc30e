"""``rocstats app``: the same on a page of one's own machine."""

from __future__ import annotations

import argparse

from rocstats.errors import check_count

__all__ = ["add_to", "run"]


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "app",
        description="Open a page in the browser that asks for a file and what it means, and makes "
        "the report; and calculators that need no data. It runs on this machine alone: nothing is "
        "sent anywhere. End it with Ctrl-C; its files are removed.",
        epilog="Example:\n  rocstats app --no-browser",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--port", type=int, default=0, metavar="N", help="port to listen at (default: a free one)")
    add("--no-browser", action="store_true", help="only print the address")
    add(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="address to listen at and to be called by (default: 127.0.0.1, this machine alone); "
        "at another one data travel unencrypted",
    )
    add("--upload", type=int, default=200, metavar="MB", help="largest file (default: 200)")
    add(
        "--memory",
        type=int,
        default=8192,
        metavar="MB",
        help="most memory of one analysis, where the system can bound it (default: 8192)",
    )
    add("--minutes", type=int, default=60, metavar="N", help="longest analysis (default: 60)")
    parser.set_defaults(run=run, spelt={})


def run(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    from rocstats.app.jobs import Bounds
    from rocstats.app.serving import serve
    from rocstats.app.sessions import Settings

    settings = Settings(
        host=args.host,
        port=check_count("port", args.port, least=0, most=65535),
        bounds=Bounds(
            megabytes=check_count("memory", args.memory, least=256, most=2**24),
            seconds=60.0 * check_count("minutes", args.minutes, most=10_000),
        ),
        most_bytes=check_count("upload", args.upload, most=2**14) * 2**20,
    )
    serve(settings, browser=not args.no_browser)
    return 0
