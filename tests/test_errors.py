"""Sentences that know their options: what they say in Python, and to others."""

from __future__ import annotations

import ast
import copy
import pickle
import warnings
from pathlib import Path

import pytest

import rocstats as rs
from rocstats import errors
from rocstats.data.scan.count_blocks import NeedsRowsError
from rocstats.errors import Mention, Sentence, aside, function, keyword, named, warn_user
from rocstats.workers import share_out

PACKAGE = Path(rs.__file__).parent
MARKS = "".join(map(chr, range(0xFDD0, 0xFDF0)))

TEXT = (
    f"{named('margin')} must be given with {keyword('aim')}, {keyword('nan_policy', 'omit')}, "
    f"{keyword('paired', False)} or {keyword('bounds', ('low', 'high'))}{aside(', or pilot=')}; "
    f"use {function('power_auc')} for pos_label=."
)
IN_PYTHON = (
    'margin must be given with aim=, nan_policy="omit", paired=False or bounds=(low, high), or '
    "pilot=; use rs.power_auc for pos_label=."
)


def shout(mention: Mention) -> str:
    return f"<{mention.name.upper()}:{mention.value}>"


SHOUTED = (
    "<MARGIN:> must be given with <AIM:>, <NAN_POLICY:omit>, <PAIRED:False> or "
    "<BOUNDS:(low, high)>; use <RS.POWER_AUC:> for pos_label=."
)


def test_a_sentence_is_python_and_can_be_spoken_otherwise() -> None:
    error = rs.InvalidOptionError(TEXT)
    assert str(error) == error.args[0] == IN_PYTHON
    assert repr(error) == f"InvalidOptionError({IN_PYTHON!r})"
    assert error.sentence.spoken(shout) == SHOUTED
    assert error.option == "margin"
    assert [mention.wording for mention in error.sentence.mentions()] == [
        *("margin", "aim=", 'nan_policy="omit"', "paired=False", "bounds=(low, high)"),
        "rs.power_auc",
    ]


@pytest.mark.parametrize("name", [n for n in errors.__all__ if n.endswith(("Error", "Warning"))])
def test_every_error_and_warning_carries_its_options(name: str) -> None:
    said = getattr(errors, name)(TEXT)
    assert (str(said), said.option) == (IN_PYTHON, "margin")
    for again in (pickle.loads(pickle.dumps(said)), copy.copy(said), copy.deepcopy(said)):
        assert type(again) is type(said)
        assert (str(again), again.sentence.spoken(shout)) == (IN_PYTHON, SHOUTED)


def test_what_names_no_option_is_said_as_it_is() -> None:
    for error in (rs.RocstatsError(), rs.RocstatsError("plain"), rs.RocstatsError(3, "x")):
        assert error.option is None
    assert str(rs.RocstatsError()) == ""
    assert rs.RocstatsError("pos_label= {x}").sentence.spoken(shout) == "pos_label= {x}"
    assert rs.RocstatsError(f"use {function('auc')}").option is None


def test_a_sentence_can_be_told_again_with_its_options() -> None:
    first = rs.SingleClassError(TEXT)
    again = rs.InvalidSampleError(f"{first.sentence.marked.removesuffix('.')}, too.")
    assert str(again) == IN_PYTHON.removesuffix(".") + ", too."
    assert again.sentence.spoken(shout) == SHOUTED.removesuffix(".") + ", too."
    assert Sentence(first.sentence).marked == TEXT


def _refuse(job: int) -> int:
    raise rs.InvalidOptionError(f"{named('margin')} must not be {'odd' if job % 2 else 'even'}.")


def test_options_come_back_from_the_workers() -> None:
    with pytest.raises(rs.InvalidOptionError, match=r"^margin must not be odd\.$") as caught:
        list(share_out(_refuse, [1, 3], 2))
    assert caught.value.option == "margin"


def test_warnings_are_python_to_filters_and_records() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", message='take nan_policy="omit"')
        warn_user(f"take {keyword('nan_policy', 'omit')}, then look", rs.RocstatsWarning)
        warn_user(TEXT, rs.SmallSampleWarning)
    (found,) = caught
    assert found.category is rs.SmallSampleWarning
    assert str(found.message) == IN_PYTHON
    assert isinstance(found.message, rs.RocstatsWarning)
    assert found.message.option == "margin"


@pytest.mark.parametrize(
    ("value", "option"),
    [({"confidence_level": 2}, "confidence_level"), ({"method": "x"}, "method")],
)
def test_an_app_finds_the_field(value: dict[str, object], option: str) -> None:
    with pytest.raises(rs.InvalidOptionError) as caught:
        rs.auc([0, 1, 0, 1], [1, 2, 3, 4]).confidence_interval(**value)  # type: ignore[arg-type]
    assert caught.value.option == option


def test_options_are_marked_in_what_is_said_and_nowhere_else() -> None:
    """A mark that got into an answer or a page would be seen there."""
    markers = {"named", "keyword", "function", "aside"}
    said = {name for name in errors.__all__ if name.endswith("Error")}
    said |= {"warn_user", NeedsRowsError.__name__}
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "rocstats.errors"
            for alias in node.names
        }
        inside = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in said
            for inner in ast.walk(node)
        }
        loose = [
            node.lineno
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in markers & imported
            and id(node) not in inside
        ]
        assert not loose, f"{path}: {loose}"


def test_no_mark_is_left_in_a_sentence() -> None:
    assert not set(MARKS) & set(str(Sentence(TEXT)))
    assert not set(MARKS) & set(Sentence(TEXT).spoken(shout))
