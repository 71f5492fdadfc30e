"""Protocol: installation, operation and performance looked at in turn, and the answer."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rocstats as rs
from rocstats.tables import Answer, Statement
from rocstats.validation.case_samples import LIVE, read_sample
from rocstats.validation.cases import (
    Case,
    Dataset,
    Quantity,
    Requirement,
    evidence,
    read_cases,
    read_datasets,
    read_requirements,
    read_tolerances,
)
from rocstats.validation.expected import ask_r, live_numbers, read_references
from rocstats.validation.installation import (
    Check,
    check_bytecode,
    check_files,
    describe_installation,
)
from rocstats.validation.observed import OBSERVED
from rocstats.validation.performance import MARKERS, STUDY, r_study, run_study
from rocstats.validation.settings import Numbers
from rocstats.validation.verdicts import CaseResult, Computed, answer_of, judge_case

__all__ = ["Trace", "Validation", "validate"]

FROZEN, LIVE_R, DRIFT = "frozen R", "live R", "frozen against live R"
Watch = Callable[[list[Case]], Iterable[Case]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A requirement with the verdict on the cases that test it.

    ``untested`` are the quantities it names that nothing was compared of.
    """

    requirement: Requirement
    cases: int
    compared: int
    untested: tuple[str, ...]
    verdict: str

    @property
    def fault(self) -> str:
        """What is wrong beside the cases that failed, in words; empty where nothing is."""
        if self.cases and not self.untested:
            return ""
        what = ", ".join(self.untested) or "it"
        return f"requirement {self.requirement.name}: no case tests {what}"

    def row(self) -> dict[str, Any]:
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
            "untested": list(self.untested),
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Validation(Answer):
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
        return not self.failures()

    def failures(self) -> list[str]:
        """Return what failed, a sentence each: files, cases, and requirements that none tests."""
        return [
            *(f"{c.name}: {c.observed}" for c in self.installation if c.verdict == "fail"),
            *(r.fault for r in self.results if r.fault),
            *(t.fault for t in self.requirements if t.fault),
        ]

    def summary(self) -> dict[str, int]:
        """Return how much was compared and how much of it failed."""
        run = [r for r in self.results if r.verdict != "not run"]
        return {
            "cases": len(run),
            "datasets": len({r.dataset for r in run}),
            "compared": sum(len(r.numbers) for r in run),
            "failed": len(self.failures()),
            "not_run": len(self.results) - len(run),
        }

    def statement(self) -> Statement:
        """Return what was compared, a row for each requirement, and what failed."""
        found = self.summary()
        requirements = [trace.row() for trace in self.requirements]
        return Statement(
            head=f"{found['compared']} numbers of {found['cases']} cases over "
            f"{found['datasets']} data sets: {found['failed']} failed, {found['not_run']} not run",
            rows=requirements,
            shown=("id", "text", "cases", "compared", "verdict"),
            notes=self.failures(),
            content={
                "summary": found,
                "cases": [result.row() for result in self.results],
                "installation": [check.to_dict() for check in self.installation],
                "requirements": requirements,
            },
        )


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
    try:
        listed, study = read_cases(folder), _study_case(folder)
        references, requirements = read_references(folder), read_requirements(folder)
        packages = {d.package for d in read_datasets(folder).values() if not d.bundled}
    except (AttributeError, LookupError, OSError, TypeError, ValueError) as error:
        raise rs.RocstatsError(
            f"The evidence in {folder} could not be read ({type(error).__name__}: {error}); "
            "install rocstats again."
        ) from error
    versions = _r_versions(["pROC", *sorted(packages - {"pROC"})]) if with_r else None
    operation: list[CaseResult] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocstatsWarning)  # degenerate data are among the cases
        for case in watch(listed):
            operation += _judge(case, folder, references.get(case.name), with_r=with_r)
        performance = _judge_study(study, references.get(STUDY), with_r=with_r)
    return Validation(
        installation=(
            *describe_installation(versions),
            *check_files(folder),
            *check_bytecode(),
        ),
        operation=tuple(operation),
        performance=tuple(performance),
        requirements=tuple(
            _trace(requirement, [*operation, *performance]) for requirement in requirements
        ),
    )


def _study_case(folder: Path) -> Case:
    """Return the case of the command line, the one that no data set and no R code define."""
    nothing: frozenset[str] = frozenset()
    name, _, dataset = STUDY.partition("/")
    quantity = Quantity(
        name=name,
        title="a study from its file to the answer of the command line",
        each="sample",
        r="",
        tolerance=read_tolerances(folder)["closed"],
        needs=nothing,
        avoids=nothing,
        only=nothing,
        never=nothing,
    )
    return Case(quantity=quantity, dataset=Dataset(name=dataset, markers=MARKERS), markers=())


def _r_versions(packages: list[str]) -> dict[str, str]:
    """Return the versions of R and of the packages whose functions and data are asked for."""
    from rocstats.rbridge import session

    session.require(packages)
    return session.versions(packages)


def _judge(case: Case, folder: Path, frozen: Numbers | None, *, with_r: bool) -> list[CaseResult]:
    try:
        sample = read_sample(case.dataset, folder, ask_r if with_r else None)
    except Exception as error:  # as in answer_of
        return [judge_case(case, FROZEN, Computed(), Computed(reason=f"no sample: {error}"))]
    if sample is None:
        reason = LIVE.format(package=case.dataset.package)
        return [judge_case(case, FROZEN, Computed(), Computed(reason=reason), skipped=True)]
    ours = answer_of(lambda: OBSERVED[case.quantity.name](sample, case.markers))
    theirs = answer_of(lambda: live_numbers(case, sample, folder)) if with_r else None
    return _judge_sides(case, frozen, ours, theirs)


def _judge_study(study: Case, frozen: Numbers | None, *, with_r: bool) -> list[CaseResult]:
    """Compare the study of the command line with R's reading of the same file."""
    return _judge_sides(study, frozen, answer_of(run_study), answer_of(r_study) if with_r else None)


def _judge_sides(
    case: Case, frozen: Numbers | None, ours: Computed, theirs: Computed | None
) -> list[CaseResult]:
    """Judge rocstats against the reference and, where R was asked, both of them against R."""
    reference = Computed(numbers=frozen, reason="" if frozen else "no frozen reference")
    sides = [(FROZEN, reference, ours)]
    if theirs is not None:
        sides += [(LIVE_R, theirs, ours), (DRIFT, reference, theirs)]
    return [judge_case(case, against, expected, found) for against, expected, found in sides]


def _trace(requirement: Requirement, results: list[CaseResult]) -> Trace:
    run = [r for r in results if r.quantity in requirement.quantities and r.verdict != "not run"]
    tested = {r.quantity for r in run}
    untested = tuple(q for q in requirement.quantities if q not in tested)
    passed = run and not untested and all(r.verdict == "pass" for r in run)
    return Trace(
        requirement=requirement,
        cases=len(run),
        compared=sum(len(r.numbers) for r in run),
        untested=untested,
        verdict="pass" if passed else "fail",
    )
