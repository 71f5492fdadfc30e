"""The papers that can be run again, by name; each is imported when it is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from rocstats.papers.paper import BACK_ENDS, Paper, PaperResult, Settings

__all__ = ["PAPERS"]


def _lazily(module: str) -> Callable[[Settings], PaperResult]:
    """Return a function that calls ``run`` of a module of this room."""

    def run(settings: Settings) -> PaperResult:
        found = import_module(f"rocstats.papers.{module}")
        result: PaperResult = found.run(settings)
        return result

    return run


_ALL = (
    Paper(
        name="wu-flach-2005",
        citation="Wu S, Flach P (2005). A scored AUC metric for classifier evaluation and "
        "selection. Proceedings of the ICML 2005 workshop on ROC analysis in machine learning, "
        "Bonn.",
        doi="",
        title="Wu & Flach 2005: a scored AUC",
        question="Does the model with the best validation sAUC have a better test AUC than the "
        "model with the best validation AUC?",
        run=_lazily("wu_flach_2005.wu_flach_paper"),
        backends=BACK_ENDS,
    ),
    Paper(
        name="wu-flach-ferri-2007",
        citation="Wu S, Flach P, Ferri C (2007). An improved model selection heuristic for AUC. "
        "ECML 2007, LNCS 4701, 478-489.",
        doi="10.1007/978-3-540-74958-5_44",
        title="Wu, Flach & Ferri 2007: selecting models by sAUC",
        question="Is sAUC more robust to noise than AUC, and does it select better models when "
        "there are few validation data?",
        run=_lazily("wu_flach_ferri_2007.wu_flach_ferri_paper"),
        backends=BACK_ENDS,
    ),
    Paper(
        name="huang-ling-2005",
        citation="Huang J, Ling CX (2005). Using AUC and accuracy in evaluating learning "
        "algorithms. IEEE Transactions on Knowledge and Data Engineering 17(3), 299-310.",
        doi="10.1109/TKDE.2005.50",
        title="Huang & Ling 2005: AUC against accuracy",
        question="Is AUC consistent with accuracy, and more discriminating?",
        run=_lazily("huang_ling_2005.huang_ling_paper"),
    ),
    Paper(
        name="klement-2011",
        citation="Klement W, Flach P, Japkowicz N, Matwin S (2011). Smooth receiver operating "
        "characteristics (smROC) curves. ECML PKDD 2011, LNCS 6912, 193-208.",
        doi="10.1007/978-3-642-23783-6_13",
        title="Klement et al. 2011: smooth ROC curves",
        question="Does smAUC tell naive Bayes from probability estimation trees where AUC does "
        "not, and does it vary less?",
        run=_lazily("klement_2011.klement_paper"),
        backends=BACK_ENDS,
    ),
    Paper(
        name="fawcett-2006",
        citation="Fawcett T (2006). An introduction to ROC analysis. Pattern Recognition Letters "
        "27(8), 861-874.",
        doi="10.1016/j.patrec.2005.10.010",
        title="Fawcett 2006: an introduction to ROC analysis",
        question="Do the algorithms give the curves, areas, averages and mixtures that the paper "
        "prints?",
        run=_lazily("fawcett_2006.fawcett_paper"),
    ),
    Paper(
        name="sauc-vs-wmw",
        citation="Wu S, Flach P, Ferri C (2007), conclusions: sAUC has indeed higher power than "
        "WMW.",
        doi="10.1007/978-3-540-74958-5_44",
        title="sAUC against Wilcoxon-Mann-Whitney",
        question="Where does the two-sample test by sAUC beat that by AUC, where does it lose, "
        "and by how much?",
        run=_lazily("sauc_vs_wmw"),
    ),
)

PAPERS: Mapping[str, Paper] = {paper.name: paper for paper in _ALL}
