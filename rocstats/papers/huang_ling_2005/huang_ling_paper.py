"""Huang & Ling (2005), Using AUC and accuracy in evaluating learning algorithms."""

from __future__ import annotations

import time

from rocstats.papers.huang_ling_2005 import huang_ling_models
from rocstats.papers.huang_ling_2005.huang_ling_classes import simulated_part
from rocstats.papers.huang_ling_2005.huang_ling_cutoffs import cutoff_part
from rocstats.papers.huang_ling_2005.huang_ling_examples import example_part
from rocstats.papers.huang_ling_2005.huang_ling_lists import exact_parts
from rocstats.papers.huang_ling_2005.huang_ling_profit import profit_part
from rocstats.papers.paper import PaperResult, Settings

__all__ = ["run"]


def run(settings: Settings) -> PaperResult:
    """Run the paper: ranked lists first, then the models of Tables XIV to XVIII."""
    start = time.perf_counter()
    lists = _lists(settings)
    models = huang_ling_models.run(settings)
    return PaperResult(
        name="huang-ling-2005",
        claims=lists.claims + models.claims,
        tables=lists.tables + models.tables,
        figures=lists.figures + models.figures,
        protocol=lists.protocol + models.protocol,
        data=models.data,
        choices={**lists.choices, **models.choices},
        left_out={**lists.left_out, **models.left_out},
        entropy=settings.rng,
        seconds=time.perf_counter() - start,
    )


def _lists(settings: Settings) -> PaperResult:
    parts = [
        *(example_part(), *exact_parts(settings), simulated_part(settings)),
        *(profit_part(), cutoff_part(settings)),
    ]
    return PaperResult(
        name="huang-ling-2005",
        claims=tuple(claim for claims, _, _ in parts for claim in claims),
        tables=tuple(table for _, tables, _ in parts for table in tables),
        figures=tuple(figure for _, _, figures in parts for figure in figures),
        protocol=(
            "Tables VI to XII: unordered pairs of all ranked lists, as many of the first positions "
            "predicted positive as there are positives; counted by Gaussian binomial coefficients "
            "in whole numbers.",
            "Table XIII: random probability vectors, every class the most probable of two "
            "examples, independent balanced labels, Hand & Till's AUC.",
            "Fig. 2: mean positives among the first 3 and 5 of 20 over all lists with a given AUC "
            "or accuracy, counted; the paper draws a million lists.",
            "Section V at every cut-off: lists of 20, 40, 100 and 200 cut at every place, and "
            "of 400 at every twentieth (a quick run has 20 and 40), counted in the same way.",
        ),
        choices={
            "Probabilities of Table XIII": "uniform among all vectors that add up to 1 "
            "(simplex); uniform numbers divided by their sum (normalised) beside them.",
            "Pairs of Table XIII": "independent pairs of lists, where the paper draws pairs from a "
            "pool of lists of unknown size.",
            "Profit of Fig. 2": "the number of buyers among those approached times a revenue, the "
            "same for every buyer, as the paper assumes; it gives no unit, so the one that fits "
            "its eight differences best is taken for both cut-offs.",
            "Section V between accuracies": "20 examples have 5 accuracies above one half and 50 "
            "AUC values; between its values the profit given an accuracy is the straight line on "
            "which they all lie. At the accuracies alone conclusion 1 and the expectation at 50% "
            "come out the same.",
            "Tables IV and V": "our copy shows the positives without the negatives between them, "
            "so several lists may be meant; the runs seen for classifier 6 (three, two) fit no "
            "list with its printed values, and any list with these is taken.",
        },
    )
