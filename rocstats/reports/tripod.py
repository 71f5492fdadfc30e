"""The TRIPOD+AI 2024 checklist, for scores that a model made; filled in as STARD's is.

The items are told in our own words; the statement itself is Collins et al. (2024), BMJ 385,
e078378, doi:10.1136/bmj-2023-078378. The page is of a model's evaluation: what belongs to its
development is asked of the authors.
"""

from __future__ import annotations

from typing import Any

from rocstats.reports.checklist import (
    AGAIN,
    METHODS,
    PARTICIPANTS,
    PROBABILITIES,
    QUALITY,
    RESULTS,
    SUBGROUPS,
    THRESHOLDS,
    Facts,
    Item,
    always,
    asked,
    by_model,
    fill_row,
    has_abstract,
    has_prespecified,
    is_judged_by_group,
    text,
)

__all__ = ["TRIPOD_ITEMS", "tripod_facts"]


def tripod_facts(facts: Facts) -> list[dict[str, Any]]:
    """Return every item with its status; none where no model made the scores."""
    return [fill_row(item, facts) for item in TRIPOD_ITEMS] if by_model(facts) else []


def _is_calibrated(facts: Facts) -> bool:
    return any(m["calibration"] for m in facts["markers"])


TRIPOD_ITEMS: tuple[Item, ...] = (
    text(
        "1", "Title", "Evaluation of a prediction model, its target population and outcome",
        "Give the study a title that names the model's evaluation, the population and the outcome.",
        "title",
    ),
    asked(
        "2", "Abstract", "A structured abstract", "Fill in the blanks of the abstract.",
        RESULTS, has_abstract,
    ),
    text(
        "3a", "Introduction", "The context of care, and why the model is evaluated",
        "Say for which decision the model is meant, and why it is evaluated.",
        "index_test_rationale",
    ),
    text(
        "3b", "Introduction", "Target population, purpose of the model in care, and its users",
        "Say who would use the model, for whom, and where in care.", "model_use",
    ),
    text(
        "3c", "Introduction", "Known inequalities in health between sociodemographic groups",
        "Say which inequalities are known, or that none are.", "health_inequalities",
    ),
    text(
        "4", "Introduction", "Objectives: development, evaluation or both",
        "State the question of the study.", "question",
    ),
    text(
        "5a", "Methods: data", "Sources of the data of development and of evaluation",
        "Describe both sources, and how far they represent the target population.",
        "model_development", "setting",
    ),
    text("5b", "Methods: data", "Dates of the data", "State from when to when.", "dates"),
    text(
        "6a", "Methods: participants", "The setting, with number and place of the centres",
        "State the setting.", "setting",
    ),
    text(
        "6b", "Methods: participants", "Who could take part", "State who could take part.",
        "eligibility",
    ),
    text(
        "6c", "Methods: participants", "Treatments received, and how they were handled",
        "Tell which treatments were given before the outcome, or that none were.", "treatments",
    ),
    asked(
        "7", "Methods: data", "How data were prepared and checked, alike in all groups",
        "Describe the preparation of the data.", QUALITY, always, "data_preparation",
    ),
    text(
        "8a", "Methods: outcome", "The outcome, when and how it was assessed",
        "Describe how the {standard} was found.", "reference_standard",
    ),
    text(
        "8b", "Methods: outcome", "Who assessed the outcome, where that takes judgement",
        "Say who assessed the {standard}, and what makes it positive.", "reference_positivity",
    ),
    text(
        "8c", "Methods: outcome", "What assessors of the outcome knew of the predictors",
        "Say what assessors of the {standard} knew.", "reference_blinding",
    ),
    text(
        "9a", "Methods: predictors", "How predictors were chosen (development)",
        "Say how the predictors were chosen, or where that is told.", "model_development",
    ),
    text(
        "9b", "Methods: predictors", "All predictors: how and when measured, knowing what",
        "Describe the predictors.", "predictors",
    ),
    text(
        "9c", "Methods: predictors", "Who assessed predictors that take judgement",
        "Say who assessed them, and what they knew.", "blinding",
    ),
    text(
        "10", "Methods: analysis", "How the sample size was arrived at",
        "State the planned size and the reasoning.", "sample_size_rationale",
    ),
    asked(
        "11", "Methods: analysis", "How missing data were handled",
        "Say how missing results were handled.", PARTICIPANTS, always, "missing_handling",
    ),
    text(
        "12a", "Methods: analysis", "How the data were used and divided (development)",
        "Describe it, or say where it is told.", "model_development",
    ),
    text(
        "12b", "Methods: analysis", "How predictors entered the model (development)",
        "Describe it, or say where it is told.", "model_development",
    ),
    text(
        "12c", "Methods: analysis", "How the model was built, tuned and validated (development)",
        "Describe it, or say where it is told.", "model_development",
    ),
    asked(
        "12d", "Methods: analysis", "How heterogeneity between clusters or sites was handled",
        "Name the sites as a subgroup, or say that there was one.", METHODS,
        lambda facts: bool(facts["subgroups"] or facts["data"]["cluster"]),
    ),
    asked(
        "12e", "Methods: analysis", "Measures and plots of performance, and comparisons",
        "Describe the analysis.", METHODS, always,
    ),
    text(
        "12f", "Methods: analysis", "Updating of the model after its evaluation",
        "Say whether the model was updated, such as recalibrated.", "model_updating",
    ),
    text(
        "12g", "Methods: analysis", "How predictions were computed: formula, code or service",
        "Name the model, its version and how its output is had.", "index_test",
    ),
    text(
        "13", "Methods: analysis", "Whether and how class imbalance was handled",
        "Say whether classes were weighted or resampled, and whether that was undone.",
        "class_imbalance",
    ),
    asked(
        "14", "Methods: analysis", "What was done about fairness",
        "Name the subgroups to be judged, and a threshold: rates of each are wanted.",
        SUBGROUPS, is_judged_by_group, "fairness",
    ),
    asked(
        "15", "Methods: output", "What the model gives out, and the reasons of any threshold",
        "State the threshold that was fixed with the model, and why.", THRESHOLDS,
        has_prespecified, "positivity_rationale",
    ),
    text(
        "16", "Methods: output", "Differences between the data of development and of evaluation",
        "Compare setting, eligibility, outcome and predictors.", "model_differences",
    ),
    text("17", "Ethics", "Ethical approval and consent", "Name the approval.", "ethics"),
    text("18a", "Open science", "Funding, and the role of funders", "Name the funders.", "funding"),
    text("18b", "Open science", "Conflicts of interest", "Declare them.", "conflicts"),
    text("18c", "Open science", "Where the protocol can be had", "Name it.", "protocol"),
    text("18d", "Open science", "Registration", "Name it, or say there is none.", "registration"),
    text("18e", "Open science", "Availability of the data", "Say where they are.", "data_sharing"),
    asked(
        "18f", "Open science", "Availability of the code",
        "Say where the code is.", AGAIN, always, "code_sharing",
    ),
    text(
        "19", "Patients and public", "Their part in the study", "Tell it, or that there was none.",
        "patient_involvement",
    ),
    asked(
        "20a", "Results: participants", "The flow of participants, with and without the outcome",
        "Draw the flow.", PARTICIPANTS, always,
    ),
    asked(
        "20b", "Results: participants", "Characteristics of the participants",
        "Name the columns that describe the participants (baseline).", PARTICIPANTS,
        lambda facts: bool(facts["baseline"]),
    ),
    text(
        "20c", "Results: participants", "Distributions beside those of the development data",
        "Compare them with the development data.", "model_differences",
    ),
    asked(
        "21", "Results: participants", "Participants and events of each analysis",
        "State them.", PARTICIPANTS, always,
    ),
    text(
        "22", "Results: model", "The full model, so that others can use it (development)",
        "Say where the model can be had.", "model_development",
    ),
    asked(
        "23a", "Results: performance",
        "Discrimination and calibration with intervals, in subgroups too",
        "Give calibration, and rates and calibration by subgroup.", PROBABILITIES,
        lambda facts: _is_calibrated(facts) and is_judged_by_group(facts),
    ),
    asked(
        "23b", "Results: performance", "Heterogeneity of performance between clusters or sites",
        "Name the sites as a subgroup, or say that there was one.", SUBGROUPS,
        lambda facts: bool(facts["subgroups"]),
    ),
    text(
        "24", "Results: model", "Results of any updating",
        "Report them, or that the model was not updated.", "model_updating",
    ),
    text(
        "25", "Discussion", "Interpretation, fairness among it", "Interpret the results.",
        "implications",
    ),
    text("26", "Discussion", "Limitations", "Discuss the limitations.", "limitations"),
    text(
        "27a", "Discussion", "What is done where an input is poor or missing in use",
        "Say what the model does then.", "input_quality",
    ),
    text(
        "27b", "Discussion", "What users have to do and to know", "Say it.", "model_use",
    ),
    text(
        "27c", "Discussion", "Next steps, and how far the model carries over",
        "Say what should come next.", "next_steps",
    ),
)  # fmt: skip
