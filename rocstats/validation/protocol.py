"""Protocol: installation, operation and performance looked at in turn, and the answer."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rocstats as rs
from rocstats.validation.cases import (
    Case,
    Requirement,
    evidence,
    read_cases,
    read_requirements,
    read_tolerances,
)
from rocstats.validation.expected import ask_r, live_numbers, read_references
from rocstats.validation.installation import Check, check_files, describe_installation
from rocstats.validation.observed import OBSERVED
from rocstats.validation.performance import STUDY, r_study, run_study
from rocstats.validation.samples import LIVE, read_sample
from rocstats.validation.settings import Numbers
from rocstats.validation.verdicts import CaseResult, compare_numbers, judge_case

__all__ = ["Trace", "Validation", "validate"]

FROZEN, LIVE_R, DRIFT = "frozen R", "live R", "frozen against live R"
Watch = Callable[[list[Case]], Iterable[Case]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A requirement with the verdict on the cases that test it."""

    requirement: Requirement
    cases: int
    compared: int
    verdict: str

    def to_dict(self) -> dict[str, Any]:
        """Return the row as built-in types."""
        wanted = self.requirement
        return {
            "id": wanted.name,
            "text": wanted.text,
            "source": wanted.source,
            "risk": wanted.risk,
            "quantities": list(wanted.quantities),
            "cases": self.cases,
            "compared": self.compared,
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """What was looked at and what was found.

    Attributes
    ----------
    installation : versions, platform and files
    operation : every case against its reference (and live R)
    performance : a study from file to answer
    requirements : every claim with the verdict on its cases
    """

    installation: tuple[Check, ...]
    operation: tuple[CaseResult, ...]
    performance: tuple[CaseResult, ...]
    requirements: tuple[Trace, ...]

    @property
    def results(self) -> tuple[CaseResult, ...]:
        """Every judged case."""
        return self.operation + self.performance

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.summary()["failed"]

    def summary(self) -> dict[str, int]:
        """Return how much was compared and how much of it failed."""
        run = [r for r in self.results if r.verdict != "not run"]
        failed = [r for r in run if r.verdict == "fail"]
        return {
            "cases": len(run),
            "datasets": len({r.dataset for r in run}),
            "compared": sum(len(r.numbers) for r in run),
            "failed": len(failed)
            + sum(c.verdict == "fail" for c in self.installation)
            + sum(t.verdict == "fail" and not t.cases for t in self.requirements),
            "not_run": len(self.results) - len(run),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything as built-in types."""
        return {
            "summary": self.summary(),
            "cases": [r.to_dict() for r in self.results],
            "installation": [c.to_dict() for c in self.installation],
            "requirements": [t.to_dict() for t in self.requirements],
        }


def validate(
    *, with_r: bool = False, folder: Path | None = None, watch: Watch = lambda cases: cases
) -> Validation:
    """Compare this installation with its references, and with the R that is here.

    Parameters
    ----------
    with_r : ask R, too, and compare with what it says now
    folder : the evidence, by default what comes with rocstats
    watch : is handed the cases and hands them on, to show progress
    """
    folder = folder or evidence()
    versions = _r_versions() if with_r else None
    references = read_references(folder)
    operation: list[CaseResult] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocstatsWarning)  # degenerate data are among the cases
        for case in watch(read_cases(folder)):
            operation += _judge(case, folder, references.get(case.name), with_r=with_r)
        performance = _judge_study(folder, references.get(STUDY), with_r=with_r)
    return Validation(
        installation=(*describe_installation(versions), *check_files(folder)),
        operation=tuple(operation),
        performance=tuple(performance),
        requirements=tuple(
            _trace(requirement, [*operation, *performance])
            for requirement in read_requirements(folder)
        ),
    )


def _r_versions() -> dict[str, str]:
    from rocstats.rbridge import session

    return session.versions()


def _judge(case: Case, folder: Path, frozen: Numbers | None, *, with_r: bool) -> list[CaseResult]:
    try:
        sample = read_sample(case.dataset, folder, ask_r if with_r else None)
    except (rs.RocstatsError, OSError, KeyError, ValueError) as error:
        return [judge_case(case, FROZEN, None, None, reason=f"no sample: {error}")]
    if sample is None:
        reason = LIVE.format(package=case.dataset.package)
        return [judge_case(case, FROZEN, None, None, reason=reason, skipped=True)]
    try:
        observed = OBSERVED[case.quantity.name](sample, case.markers)
    except Exception as error:  # whatever goes wrong is a failure of the case, not of the protocol
        return [judge_case(case, FROZEN, None, None, reason=f"{type(error).__name__}: {error}")]
    results = [
        judge_case(case, FROZEN, frozen, observed, reason="" if frozen else "no frozen reference")
    ]
    if with_r:
        try:
            live = live_numbers(case, sample, folder)
        except rs.RocstatsError as error:
            return [*results, judge_case(case, LIVE_R, None, None, reason=str(error))]
        results.append(judge_case(case, LIVE_R, live, observed))
        results.append(judge_case(case, DRIFT, frozen, live, reason="no frozen reference"))
    return results


def _judge_study(folder: Path, frozen: Numbers | None, *, with_r: bool) -> list[CaseResult]:
    """Compare the study of the command line with R's reading of the same file."""
    tolerance = read_tolerances(folder)["closed"]
    observed = run_study()
    sides = [(FROZEN, frozen, observed)]
    if with_r:
        live = r_study()
        sides += [(LIVE_R, live, observed), (DRIFT, frozen, live)]
    results = []
    for against, expected, found in sides:
        numbers, reason = compare_numbers(expected or {}, found, tolerance)
        results.append(
            CaseResult(
                case=STUDY,
                quantity="study",
                title="a study from its file to the answer of the command line",
                dataset="breast_cancer",
                against=against,
                tolerance=tolerance.name,
                numbers=numbers,
                reason=reason if expected else "no frozen reference",
            )
        )
    return results


def _trace(requirement: Requirement, results: list[CaseResult]) -> Trace:
    run = [r for r in results if r.quantity in requirement.quantities and r.verdict != "not run"]
    tested = {r.quantity for r in run} == set(requirement.quantities)
    return Trace(
        requirement=requirement,
        cases=len(run),
        compared=sum(len(r.numbers) for r in run),
        verdict="pass" if tested and all(r.verdict == "pass" for r in run) else "fail",
    )
