"""What ``rocstats report FILE`` asks on a terminal, where its options do not say it."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rocstats.analysis.options import OPTIONS
from rocstats.analysis.proposals import MOST_DESCRIBED, Column, describe, propose
from rocstats.analysis.study_questions import STUDY_QUESTIONS, StudyQuestion
from rocstats.errors import InvalidOptionError, did_you_mean

if TYPE_CHECKING:
    from rocstats.data.intake.intake_log import Question
    from rocstats.data.intake.intake_result import Intake

__all__ = ["can_ask", "interview"]

_BY_NAME = {option.name: option for option in OPTIONS}
_COLUMNS = {"outcome", "markers", "lower_is_positive", "subgroup", "cluster"}
_MOST = 40  # columns that are shown

Ask = Callable[[str], str]
TakeIn = Callable[[Mapping[str, Any]], "Intake"]


def can_ask() -> bool:
    """Whether a person sits at both ends: never in a pipe, a script or a notebook."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def interview(options: Mapping[str, Any], take_in: TakeIn, ask: Ask = input) -> dict[str, Any]:
    """Return the options with what was answered.

    Parameters
    ----------
    options : those that were given; of them nothing is asked
    take_in : returns the file as these options read it
    ask : asks a question and returns the line that was answered
    """
    chosen = dict(options)
    try:
        intake = _settled(chosen, take_in, ask)
        columns = [describe(intake.table, name) for name in intake.frame.columns[:MOST_DESCRIBED]]
        _show(intake, columns)
        proposed = dict(chosen)
        propose([column for column in columns if column.name], proposed)
        for question in STUDY_QUESTIONS:
            if chosen.get(question.option) in (None, [], {}):
                _ask_one(question, chosen, proposed, columns, intake, ask)
    except EOFError:
        raise InvalidOptionError(
            "The questions were not answered to their end; name the columns with --outcome and "
            "--markers instead."
        ) from None
    if not chosen.get("output"):
        from pathlib import Path

        usual = f"{Path(chosen['file']).stem}-report.html"
        chosen["output"] = ask(f"Where to write the report? [{usual}] ").strip() or usual
    return chosen


# --------------------------------------------------------------------------------- about the file


def _settled(chosen: dict[str, Any], take_in: TakeIn, ask: Ask) -> Intake:
    """Return the file with its questions asked; an empty answer leaves it as it is."""
    asked: set[tuple[str, str | None]] = set()
    while True:
        intake = take_in(chosen)
        for repair in intake.repairs if not asked else ():
            print(f"  - {repair.sentence}")
        left = [
            q
            for q in intake.questions
            if q.option and q.answers and (q.step, q.column) not in asked
        ]
        if not left:
            return intake
        asked.add((left[0].step, left[0].column))
        answer = _choice(left[0], ask)
        if answer and _BY_NAME[left[0].option or ""].kind.action == "extend":
            chosen[left[0].option or ""] = [*chosen.get(left[0].option or "", ()), answer]
        elif answer:
            chosen[left[0].option or ""] = answer


def _choice(question: Question, ask: Ask) -> str:
    from rocstats.cli.intake_arguments import as_flag

    print(f"\n{question.sentence.spoken(as_flag)}")
    for k, answer in enumerate(question.answers, 1):
        print(f"  {k}  {answer}")
    while True:
        text = ask("A number of these, or nothing to leave it so: ").strip()
        if not text or text in question.answers:
            return text
        if text.isdigit() and 1 <= int(text) <= len(question.answers):
            return question.answers[int(text) - 1]
        print("That is none of them.")


def _show(intake: Intake, columns: Sequence[Column]) -> None:
    from rocstats.cli.check import column_line

    print(f"\n{intake.file} has {len(intake.frame)} rows and these columns:")
    for column in columns[:_MOST]:
        print(f"  {column_line(intake, column)}")
    if len(intake.frame.columns) > _MOST:
        print(f"  and {len(intake.frame.columns) - _MOST} more")


# -------------------------------------------------------------------------------- about the study


def _ask_one(
    question: StudyQuestion,
    chosen: dict[str, Any],
    proposed: Mapping[str, Any],
    columns: Sequence[Column],
    intake: Intake,
    ask: Ask,
) -> None:
    """Ask a question until its answer can be used, and keep it."""
    name = question.option
    offered = _offered(name, chosen, columns)
    if offered == [] or (name == "margin" and len(chosen.get("markers", ())) < 2):
        return
    usual = _usual(name, proposed, offered)
    print(f"\n{question.question}\n{question.more}")
    if offered is not None and name not in ("markers", "lower_is_positive"):
        print(f"  {', '.join(offered[:_MOST])}")
    while True:
        text = ask(f"[{usual}] " if usual else "(none) " if not question.needed else "> ").strip()
        text = text or usual
        if not text and not question.needed:
            return
        if not text:
            print("There is no report without it.")
            continue
        try:
            value = _taken(name, text)
            _check(name, value, offered, intake)
        except (ArgumentTypeError, ValueError) as reason:
            print(reason)
            continue
        chosen[name] = _in_full(value, intake) if name in _COLUMNS else value
        return


def _in_full(value: Any, intake: Intake) -> Any:
    """Return columns as the table calls them, where a unit or a space was left out."""
    if isinstance(value, list):
        return [intake.aliases.get(item, item) for item in value]
    return intake.aliases.get(value, value)


def _taken(name: str, text: str) -> Any:
    kind = _BY_NAME[name].kind
    value = kind.word(text)
    if kind.action == "append":
        parts = [part.strip() for part in text.split(",")]
        return kind.gather([kind.word(part) for part in parts])
    return kind.gather(value)


def _check(name: str, value: Any, offered: list[str] | None, intake: Intake) -> None:
    """Refuse what is not among the columns or values; a name may lack its unit."""
    if offered is None:
        return
    known = {*offered, *intake.aliases} if name in _COLUMNS else {*offered}
    for item in value if isinstance(value, list) else [value]:
        if item not in known:
            raise ValueError(f"There is no {item!r} here.{did_you_mean(item, offered)}")


def _offered(name: str, chosen: Mapping[str, Any], columns: Sequence[Column]) -> list[str] | None:
    """Return what may be answered, or None where anything may."""
    taken = {chosen.get("outcome"), *chosen.get("markers", ())}
    outcome = next((c for c in columns if c.name == chosen.get("outcome")), None)
    if name == "outcome":
        return [c.name for c in columns if 2 <= len(c.values) <= 20]
    if name in ("positive", "exclude") and outcome is not None:
        values = [str(value) for value in outcome.values]
        if name == "positive":
            return values
        rest = [value for value in values if value != chosen.get("positive")]
        return rest if len(rest) > 1 else []
    if name == "markers":
        return [c.name for c in columns if c.kind in ("number", "labelled", "text")]
    if name == "lower_is_positive":
        return list(chosen.get("markers", ()))
    if name == "subgroup":
        return [c.name for c in columns if 2 <= len(c.values) <= 6 and c.name not in taken]
    if name == "cluster":
        return [c.name for c in columns if c.name not in taken and len(c.values) > 2]
    return None


def _usual(name: str, proposed: Mapping[str, Any], offered: Iterable[str] | None) -> str:
    """Return the answer that is proposed, as it would be typed."""
    if name not in ("outcome", "positive", "markers"):
        return ""
    value = proposed.get(name)
    if not value:
        return ""
    known = list(offered or ())
    items = value if isinstance(value, list) else [value]
    if any(str(item) not in known for item in items):
        return ""
    return _BY_NAME[name].kind.spell(value)[0]
