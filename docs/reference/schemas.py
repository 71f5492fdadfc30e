"""JSON schemas of what commands answer with ``--json``, and of the facts of a report.

Run ``python docs/reference/schemas.py``: it gives every command several calls on data made here,
and writes what their answers have in common to ``docs/reference/schemas/``. Names that are those
of the data (markers, levels) begin with "datum" there, so that keys made of them are told from
keys that always stand. ``tests/test_schemas.py`` holds other answers against the files, and asks
that every command with ``--json`` has one. A new command gets a line in CALLS.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np
from genson import SchemaBuilder

import rocstats as rs
from rocstats import cli
from rocstats.cli.command_parser import command_parser

FOLDER = Path(__file__).with_suffix("")
DRAFT = "https://json-schema.org/draft/2020-12/schema"
DATA = "datum.csv --outcome datum_y --positive datum_ill --markers datum_a,datum_b"
ONE = DATA.replace(",datum_b", "")
GAPS = "--nan-policy omit --cluster datum_id --lower-is-positive datum_a"
NUMBERED = "numbered.csv --outcome datum_y --markers datum_a,datum_b"  # labels 0, 1
QUICK = "--r no --quiet --n-resamples 100"
TIMES = "times.csv --time datum_t --event datum_d"  # datum_e has competing events
FEW = DATA.replace("datum.csv", "few.csv")  # three subjects a class, one marker perfect
TESTS = DATA.replace("--markers", "--tests") + " --thresholds datum_a=0.5,datum_b=0.5"
READINGS = (
    "readings.csv --test datum_test --reader datum_reader --case datum_case --outcome datum_y "
    "--rating datum_a"
)

CALLS = {
    "check": ["datum.csv", "few.csv", "messy.csv", "messy.csv --decimal comma"],
    "auc": [
        f"{DATA} --nan-policy omit",
        f"{DATA} {GAPS}",
        f"{DATA} --measures auc,sauc,smauc --nan-policy omit --confidence-level 0.9",
        f"{DATA} --nan-policy omit --measures smauc --midpoints 0.3,0.5",
        FEW,
        NUMBERED,
    ],
    "compare": [
        f"{DATA},datum_c --nan-policy omit",
        f"{DATA} {GAPS} --noninferiority 0.05",
        f"{DATA} --nan-policy omit --reference normal --equivalence 0.1",
        FEW,
        NUMBERED,
    ],
    "tests": [
        f"{TESTS} --nan-policy omit",
        f"{TESTS},datum_c=0.7 --nan-policy omit --tests datum_c",
        f"{TESTS} --nan-policy omit --noninferiority both=0.1 --confidence-level 0.9",
        f"{TESTS} --nan-policy omit --cluster datum_id --noninferiority sensitivity=0.1",
        f"{TESTS} --nan-policy omit --design case-control --exploratory",
        f"{TESTS} --nan-policy omit --truth comparator",
        "words.csv --outcome datum_y --tests datum_a,datum_b --test-positive datum_pos "
        "--test-negative datum_neg --equivocal both",
        "--diseased 319,78,22,32 --healthy 31,53,22,155",
        "--diseased 5,1,2 --healthy 3,4,5 --design screen-positive",
        "--diseased 3,0,0,1 --healthy 0,0,0,4",
    ],
    "readers": [
        READINGS,
        f"{READINGS} --new datum_new --standard datum_old --margin 0.05 --equivalence 0.1",
        f"{READINGS} --readers fixed --confidence-level 0.9",
        f"{READINGS} --cases fixed",
        f"{READINGS} --method ustat",
        f"{READINGS} --measure sensitivity --threshold 3 --covariance jackknife",
        f"{READINGS.replace('readings', 'gaps')}",
        f"{READINGS.replace('readings', 'machine')} --ai datum_ai --margin 0.1",
    ],
    "thresholds": [
        ONE,
        f"{ONE} --threshold 0.4,0.6 --prevalence 0.1",
        NUMBERED.replace(",datum_b", ""),
        f"{ONE} --criterion closest --at-sensitivity 0.9 --at-specificity 0.9 --all",
        f"{ONE} --cluster datum_id --n-resamples 100",
        ONE.replace("datum.csv", "few.csv"),
    ],
    "twosample": [
        f"datum.csv --group datum_y --positive datum_ill --value datum_a --statistic {name}"
        for name in ("sauc", "auc", "brunner-munzel", "welch", "t", "ks")
    ],
    "plot": [
        f"curve {DATA} --nan-policy omit -o curve.svg",
        f"forest {DATA} {GAPS} -o forest.png --dpi 72 --height 60",
        f"distribution {NUMBERED} -o distribution.svg",
    ],
    "sketch": [
        f"{DATA} --nan-policy omit --site datum_north -o out.json",
        f"{ONE} --least-count 5 -o out.json",
        f"{NUMBERED} --site datum_1 --pooled datum_pooled.json -o out.json",
    ],
    "pool": [
        "datum_1.json datum_2.json -o out.json",
        "datum_1.json datum_2.json --moments datum_m1.json,datum_m2.json",
        "datum_k1.json datum_k2.json --weights inverse_variance --markers datum_a",
    ],
    "monitor": [
        "datum_1.json datum_2.json --marker datum_a",
        "datum_1.json datum_2.json --marker datum_a --n-planned 5 --baseline-file datum_k1.json",
    ],
    "power": [
        "--auc 0.8 --null 0.7 --n-pos 50",
        "--auc 0.8 --null 0.7 --power 0.9 --simulate 20",
        "--auc 0.85 --auc2 0.8 --correlation 0.5 --power 0.8",
        "--auc 0.8 --half-width 0.05 --prevalence 0.2",
        "--auc 0.85 --auc2 0.85 --correlation 0.5 --margin 0.05 --aim noninferiority --n-pos 90",
        "--mean-difference 0.8 --n-pos 50",
    ],
    "survival": [
        f"{TIMES} --markers datum_a,datum_b --at 0.3,0.8",
        f"{TIMES} --markers datum_a --at 0.5 --concordance uno --thresholds datum_a=0.5 --band",
        f"{TIMES} --markers datum_a,datum_b --at 0.5 --lower-is-positive datum_b --margin 0.1 "
        "--new datum_a --standard datum_b --concordance harrell -o page.html",
        f"{TIMES.replace('datum_d', 'datum_e')} --markers datum_a --at 0.5 --controls survivors",
    ],
    "measures": [
        "auc accuracy --n-pos 5 --n-neg 5",
        "auc accuracy sauc --n-pos 20 --n-neg 20 --scores uniform --n-pairs 200",
    ],
    "study list": [""],
    "study power": ["--preset sauc-vs-wmw --quick --n-replicates 20 --n-jobs 1 --tests auc,sauc"],
    "study run": ["fawcett-2006 --quick --n-jobs 1"],
    "demo": [""],
    "report": [
        f"{DATA} {QUICK} -o page.html --nan-policy omit",
        f"{DATA},datum_c {QUICK} {GAPS} -o page.html --subgroup datum_site --versus datum_b "
        "--margin 0.05 --prevalence 0.1 --prespecified datum_b=0.5",
        f"{ONE} {QUICK} -o page.html --scores probability",
        f"{ONE} {QUICK} -o page.html --weights datum_c",
        f"{ONE} {QUICK} -o page.html --weights datum_c --strata datum_site "
        "--prespecified datum_a=0.5",
        f"{FEW} {QUICK} -o page.html",
        f"{NUMBERED} {QUICK} -o page.html",
        "messy.csv --outcome datum_y --positive datum_ill --markers datum_a --header-row 2 "
        f"{QUICK} -o page.html",
    ],
    "validate": [""],
}


def files(folder: Path) -> None:
    """Write the made data: probabilities with gaps and ties, few subjects, words, readings."""
    rng = np.random.default_rng(20261118)
    ill = np.arange(120) < 50
    latent = rng.normal(size=(3, 120)) + 1.2 * ill
    scores = (1 / (1 + np.exp(-latent))).round(2)
    rows = ["datum_y,datum_a,datum_b,datum_c,datum_id,datum_site"]
    for i in range(120):
        b = "" if i % 40 == 7 else scores[1, i]
        site = ("datum_north", "datum_south")[i % 2]
        label = "datum_ill" if ill[i] else "datum_well"
        rows.append(f"{label},{scores[0, i]},{b},{scores[2, i]},datum_{i // 2},{site}")
    (folder / "datum.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    few = ["datum_ill,0.9,0.8", "datum_ill,0.8,0.2", "datum_ill,0.7,0.6"]
    few += ["datum_well,0.3,0.5", "datum_well,0.2,0.5", "datum_well,0.1,0.4"]
    grades = rng.integers(0, 5, size=(2, 60)) + (np.arange(60) % 2)
    numbered = [f"{i % 2},{grades[0, i]},{grades[1, i]}" for i in range(60)]
    waits = rng.exponential(size=(3, 90)).round(3)
    times = ["datum_t,datum_d,datum_e,datum_a,datum_b"]
    for i, (event, end, other) in enumerate(waits.T.tolist()):
        code = int(event <= end)
        first = min(event, end)
        times.append(f"{first},{code},{2 if other < first else code},{-event},{i % 7}")
    (folder / "times.csv").write_text("\n".join(times) + "\n", encoding="utf-8")
    said = ("datum_pos", "datum_neg", "datum_unclear")
    words = [f"{i % 2},{said[int(grades[0, i] < 3)]},{said[i % 3]}" for i in range(60)]
    for name, lines in (("few.csv", few), ("numbered.csv", numbered), ("words.csv", words)):
        text = "\n".join(["datum_y,datum_a,datum_b", *lines]) + "\n"
        (folder / name).write_text(text, encoding="utf-8")
    messy = ["A study;;", "datum_y;datum_a (mg/l);datum_b"]
    messy += [f"{'datum_ill' if i % 2 else 'Datum_Well'};{i},5;{1 + i},23{i}" for i in range(8)]
    messy += ["datum_well;<0,5;1,234", ";;", "Mean;4,0;"]
    (folder / "messy.csv").write_text("\n".join(messy) + "\n", encoding="utf-8")
    _readings(folder, rng)
    _sites(folder, np.arange(60) % 2, dict(zip(("datum_a", "datum_b"), grades, strict=True)))


def _sites(folder: Path, y: np.ndarray, scores: dict[str, np.ndarray]) -> None:
    """Write sketches of two sites, exact and with a least count, and their second round."""
    everyone = rs.ScoredSample.from_arrays(y, scores)
    rows = [everyone.subset(np.arange(60) // 30 == k) for k in range(2)]
    sketches = [rs.sketch(one, site=f"datum_{k}") for k, one in enumerate(rows, 1)]
    pooled = rs.pool(sketches)
    pooled.save(folder / "datum_pooled.json")
    for k, (one, sketch) in enumerate(zip(rows, sketches, strict=True), 1):
        sketch.save(folder / f"datum_{k}.json")
        rs.sketch(sketch, least_count=3).save(folder / f"datum_k{k}.json")
        told = rs.site_moments(one, pooled, site=f"datum_{k}")
        told.save(folder / f"datum_m{k}.json")


def _readings(folder: Path, rng: np.random.Generator) -> None:
    """Write reader studies: factorial, with readings missing, and with a program beside them."""
    head = "datum_test,datum_reader,datum_case,datum_y,datum_a"
    quality = rng.normal(size=40) + 1.5 * (np.arange(40) % 2)
    read = {
        (test, reader): rng.normal(quality + 0.3 * test, 1.0).round().tolist()
        for test in range(2)
        for reader in range(3)
    }
    rows = [
        f"datum_{('old', 'new')[test]},datum_r{reader},datum_{case},{case % 2},{rating + 2}"
        for (test, reader), ratings in read.items()
        for case, rating in enumerate(ratings)
    ]
    machine = [f"datum_ai,datum_ai,datum_{i},{i % 2},{quality[i]:.2f}" for i in range(40)]
    gaps = [row for i, row in enumerate(rows) if i % 17]
    old = [row for row in rows if row.startswith("datum_old")]
    for name, lines in (("readings", rows), ("gaps", gaps), ("machine", [*old, *machine])):
        text = "\n".join([head, *lines]) + "\n"
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")


def answer(command: str, words: str) -> Any:
    """Return what a call prints as JSON; of a validation, the first cases only."""
    out, err = io.StringIO(), io.StringIO()
    call = [*command.split(), *shlex.split(words), "--json"]
    with (
        patch("rocstats.workers.watched", lambda listed, **_: list(listed)[:3]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        code = cli.main(call)
    if code == 2:
        raise ValueError(f"rocstats {shlex.join(call)}: {err.getvalue()}")
    return json.loads(out.getvalue())


def commands_with_json(
    parser: argparse.ArgumentParser | None = None, words: str = ""
) -> Iterator[str]:
    """Yield the commands that know ``--json``."""
    parser = command_parser() if parser is None else parser
    if "--json" in parser._option_string_actions:
        yield words.strip()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in {id(p): (name, p) for name, p in action.choices.items()}.values():
                yield from commands_with_json(inner[1], f"{words} {inner[0]}")


def schema(command: str, answers: list[Any]) -> dict[str, Any]:
    """Return what the answers of a command have in common."""
    builder = SchemaBuilder(schema_uri=DRAFT)
    for one in answers:
        builder.add_object(one)
    found = _loosened(builder.to_schema())
    return {
        "$schema": DRAFT,
        "title": f"rocstats {command} --json",
        "description": "Made by docs/reference/schemas.py of answers; keys may be added.",
        **{key: value for key, value in found.items() if key != "$schema"},
    }


def _loosened(node: Any) -> Any:
    """Gather keys that are names of the data, and let a number be null where it does not exist."""
    if not isinstance(node, dict):
        return node
    if "anyOf" in node:
        return {**node, "anyOf": [_loosened(option) for option in node["anyOf"]]}
    kinds = node.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    if kinds == ["null"]:  # never seen filled
        return {}
    if "number" in kinds and "null" not in kinds:
        node = {**node, "type": [*kinds, "null"]}
    if "items" in node:
        node = {**node, "items": _loosened(node["items"])}
    if "properties" in node:
        fixed = {key: one for key, one in node["properties"].items() if not _of_data(key)}
        of_data = [one for key, one in node["properties"].items() if _of_data(key)]
        node = {**node, "properties": {key: _loosened(one) for key, one in fixed.items()}}
        if of_data:
            joined = SchemaBuilder(schema_uri=None)
            for one in of_data:
                joined.add_schema(one)
            node["additionalProperties"] = _loosened(joined.to_schema())
        needed = [key for key in node.pop("required", []) if key in fixed]
        if needed:
            node["required"] = needed
    return node


def _of_data(key: str) -> bool:
    """Say whether a key is a name of the made data, or a number."""
    return key.startswith("datum") or key.replace(".", "", 1).isdigit()


def path_of(command: str) -> Path:
    """Return the file of a command's schema."""
    return FOLDER / f"{command.replace(' ', '-')}.json"


def page() -> str:
    """Return the page that lists the files."""
    lines = [
        "# JSON schemas",
        "",
        "What every command answers with `--json`, as files of [JSON Schema]"
        "(https://json-schema.org). Keys may be added in any version; a key that goes, or changes "
        "its type, is in the changelog ([](../explanation/versions.md)). A number that does not "
        "exist is null. The facts of a report, which its templates read and `rs.report(...).facts` "
        "returns, are the answer of `rocstats report`, without its first two keys.",
        "",
        "| command | schema | keys |",
        "|---|---|---|",
    ]
    for command in CALLS:
        keys = json.loads(path_of(command).read_text(encoding="utf-8"))["properties"]
        name = path_of(command).name
        listed = ", ".join(f"`{key}`" for key in keys)
        lines.append(f"| `rocstats {command}` | [{name}](schemas/{name}) | {listed} |")
    lines += [
        "",
        "```python",
        "import json, subprocess",
        "import jsonschema",
        "",
        'said = subprocess.run(["rocstats", "demo", "--json"], capture_output=True)',
        'jsonschema.validate(json.loads(said.stdout), json.load(open("demo.json")))',
        "```",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Write the schema of every command, or of those that are named."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, chdir(folder):
        files(Path())
        for command in sys.argv[1:] or CALLS:
            found = schema(command, [answer(command, words) for words in CALLS[command]])
            text = json.dumps(found, indent=1, sort_keys=False) + "\n"
            path_of(command).write_text(text, encoding="utf-8")
            print(f"{os.path.relpath(path_of(command), FOLDER)}: {len(text) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
