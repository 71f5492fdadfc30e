"""The only writer of references and of the manifest; needs a checkout, and R to freeze.

``python -m validation --freeze`` asks R for the numbers of every case and writes them to
``reference/*.json``; ``python -m validation --manifest`` writes the hashes of what ships.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from tqdm import tqdm

from rocstats.rbridge import session
from rocstats.validation import case_samples as samples
from rocstats.validation import cases, expected, installation, performance, settings

HERE = Path(__file__).parent
GENERATOR = [  # what decides the numbers, beside R
    HERE / "cases.toml",
    *sorted(HERE.glob("oracle*.R")),
    *sorted((HERE / "datasets").glob("*.toml")),
    *sorted((HERE / "datasets").glob("*.csv")),
    *(Path(module.__file__) for module in (expected, performance, samples, settings)),
]


def main() -> int:
    """Freeze, or write the manifest."""
    parser = argparse.ArgumentParser(prog="python -m validation", description=__doc__)
    parser.add_argument("--freeze", action="store_true", help="ask R and write the references")
    parser.add_argument("--manifest", action="store_true", help="write the hashes of the files")
    args = parser.parse_args()
    if not (args.freeze or args.manifest):
        parser.error("choose --freeze or --manifest")
    if args.freeze:
        freeze()
    manifest()
    return 0


def freeze() -> None:
    """Ask R for the numbers of every case and write one file a data set."""
    provenance = {
        "generator": "python -m validation --freeze",
        "generator_sha256": generator_hash(),
        **session.versions(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
    }
    listed = cases.read_cases(HERE)
    study = HERE / "reference" / "study.json"
    written = {study}
    with tqdm(total=len(listed), desc="cases", file=sys.stderr) as bar:
        for dataset, group in groupby(listed, key=lambda case: case.dataset):
            sample = samples.read_sample(dataset, HERE, expected.ask_r)
            numbers = {}
            for case in group:
                numbers[case.name] = expected.live_numbers(case, sample, HERE)
                bar.update()
            file = HERE / "reference" / f"{dataset.name}.json"
            expected.write_numbers(file, provenance, numbers)
            written.add(file)
    expected.write_numbers(study, provenance, {performance.STUDY: performance.r_study()})
    for file in set(study.parent.glob("*.json")) - written:
        file.unlink()


def generator_hash() -> str:
    """Return one hash of everything that decides what R is asked."""
    whole = hashlib.sha256()
    for path in GENERATOR:
        whole.update(path.read_bytes())
    return whole.hexdigest()


def manifest() -> None:
    """Write the hashes of the files that ship."""
    lines = [f"{digest}  {name}\n" for name, digest in installation.hash_files(HERE).items()]
    (HERE / installation.MANIFEST).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
