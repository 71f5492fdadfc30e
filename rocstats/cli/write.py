"""Parts of what the commands write, as text and as JSON."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocstats.data.sample import ScoredSample
    from rocstats.estimates.results import Estimates

__all__ = [
    "check_writable",
    "details_text",
    "escaped",
    "keep_file",
    "print_answer",
    "sample_dict",
    "sample_header",
    "say",
    "write_file",
    "write_files",
]


# What a terminal would obey: control characters but tab and line end, and turns of direction.
_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def escaped(text: str) -> str:
    r"""Return a text whose characters a terminal shows, and obeys none of.

    Examples
    --------
    >>> print(escaped("crp\x1b[2J"))
    crp\x1b[2J
    """
    return _COMMANDS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def say(text: str) -> None:
    """Say a line on stderr."""
    print("rocstats:", escaped(" ".join(text.splitlines())), file=sys.stderr)


def sample_header(file: str, outcome: str, level: float, sample: ScoredSample) -> str:
    """Return what was read, what counts as positive and what was left out."""
    from rocstats.tables import counted

    low = [m for m, up in zip(sample.markers, sample.higher_is_positive, strict=True) if not up]
    clusters = ""
    if sample.is_clustered:
        clusters = f" in {counted(len(sample.cluster_ids), 'cluster')}"
    return (
        f"{file}: the positive class is {outcome} = {sample.pos_label}; "
        f"{counted(sample.n_pos, 'positive')}, {counted(sample.n_neg, 'negative')} "
        f"({sample.neg_label}){clusters}; {sample.dropped}"
        f"{f'; {sample.design}' if sample.design else ''}.\n"
        f"Intervals are at the {100 * level:g}% confidence level."
        + (f" Low values of {', '.join(low)} speak for the positive class." if low else "")
    )


def details_text(estimates: Estimates) -> str:
    """Return what the measures alone know, a line an estimate."""
    from rocstats.tables import show_value

    lines = []
    for row in estimates.rows:
        known = [f"{k.replace('_', ' ')} {show_value(v)}" for k, v in row.details.items()]
        if known:
            lines.append(f"{row.measure.label} of {row.classifier}: {', '.join(known)}")
    return "\n".join(lines)


def print_answer(command: str, content: Mapping[str, Any], text: str, *, as_json: bool) -> int:
    """Print the text, or valid JSON in which what is no finite number is null; return 0, done."""
    from rocstats import __version__
    from rocstats.tables import plain

    if as_json:
        answer = plain({"command": command, "version": __version__, **content})
        text = json.dumps(answer, allow_nan=False, indent=2)
    print(text)
    return 0


def sample_dict(sample: ScoredSample) -> dict[str, Any]:
    """Return the sample without its data, as built-in types."""
    return {
        "n_pos": sample.n_pos,
        "n_neg": sample.n_neg,
        "pos_label": sample.pos_label,
        "neg_label": sample.neg_label,
        "clusters": len(sample.cluster_ids) or None,
        "markers": sample.markers,
        "higher_is_positive": sample.higher_is_positive,
        "dropped": {"n": sample.dropped.n, "missing": dict(sample.dropped.missing)},
        **({"design": sample.design} if sample.design else {}),
    }


def check_writable(name: str, made: tuple[str, ...] = ()) -> None:
    """Refuse a file that could not be written, or is none of those made, before the work."""
    import os
    from pathlib import Path

    from rocstats.errors import InvalidOptionError
    from rocstats.places import check_ending

    if not name or name.endswith("/"):
        raise InvalidOptionError(f"{name!r} names no file; name a file to write.")
    try:
        path = Path(name).resolve()  # what a link points at is written
        there = path.exists()
    except (OSError, RuntimeError, ValueError) as reason:  # too long, a loop of links, a null
        why = getattr(reason, "strerror", None) or reason
        raise InvalidOptionError(f"{name} could not be written: {why}.") from None
    if path.is_dir():
        raise InvalidOptionError(f"{name} is a directory; name a file to write.")
    if there and not path.is_file():  # a device or a pipe would be replaced
        raise InvalidOptionError(
            f"{name} is no ordinary file; leave out -o, or name a file to write."
        )
    folder = Path(name).parent
    if not folder.is_dir():
        raise InvalidOptionError(f"There is no directory {folder} to write {path.name} to.")
    for place in (folder, *([path] if there else [])):
        if not os.access(place, os.W_OK):
            raise InvalidOptionError(f"{name} could not be written: {place} is not writable.")
    if made:
        check_ending(name, made)


def keep_file(output: str, name: str | None, what: str) -> None:
    """Refuse to write over what was read."""
    from pathlib import Path

    from rocstats.errors import InvalidOptionError

    if name is None or not Path(output).exists() or not Path(name).exists():
        return
    if Path(output).samefile(name):
        raise InvalidOptionError(f"{output} holds {what}; name another file to write.")


def write_file(name: str, text: str) -> None:
    """Write a file whole or not at all."""
    from pathlib import Path

    from rocstats.places import write_whole

    write_whole(Path(name), text)


def write_files(folder: str, files: Mapping[str, str]) -> list[str]:
    """Write texts to a folder by their names, and return where they are."""
    from rocstats.places import made_folder

    place = made_folder(folder)
    places = {str(place / name): text for name, text in files.items()}
    for name, text in places.items():
        write_file(name, text)
    return list(places)
