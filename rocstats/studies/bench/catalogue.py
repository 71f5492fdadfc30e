"""The table of benchmark sets: what the papers print of each, and where it can come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from rocstats.studies.bench.generated import balance_scale, monk, tic_tac_toe
from rocstats.studies.bench.places import Bundled, Files, Generated, OnOpenML, Package, Place

__all__ = ["CATALOGUE", "Entry", "Printed"]

WF, WFF, HL, KL = "wu-flach-2005", "wu-flach-ferri-2007", "huang-ling-2005", "klement-2011"


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What a paper prints of a set; None where it prints nothing.

    Attributes
    ----------
    paper, label : the study's name, and the set's name in the paper's table
    n, attributes, classes : sizes
    majority : per cent of rows in the larger class
    n_pos : number of positive rows
    """

    paper: str
    label: str
    n: int
    attributes: int
    majority: float | None = None
    n_pos: int | None = None
    classes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One set: how it is named, grouped and found.

    Attributes
    ----------
    name, title : its name here, and its printed one
    positive : class labels that are positive, in the spelling of any place
    grouping : the same in words
    printed : what the papers print
    places : where it can come from, in the order in which they are tried
    complete : whether rows with a missing value are left out
    without : class labels whose rows are left out
    why_absent : why there is no place for it
    notes : what was inferred
    """

    name: str
    title: str
    positive: tuple[str, ...] = ()
    grouping: str = ""
    printed: tuple[Printed, ...]
    places: tuple[Place, ...] = ()
    complete: bool = False
    without: tuple[str, ...] = ()
    why_absent: str = ""
    notes: tuple[str, ...] = ()


def _wf(label: str, attributes: int, n: int, majority: float) -> Printed:
    return Printed(paper=WF, label=label, n=n, attributes=attributes, majority=majority)


def _wff(label: str, attributes: int, n: int, majority: float) -> Printed:
    return Printed(paper=WFF, label=label, n=n, attributes=attributes, majority=majority)


def _hl(label: str, attributes: int, classes: int, n: int) -> Printed:
    return Printed(paper=HL, label=label, n=n, attributes=attributes, classes=classes)


def _kl(label: str, n: int, n_pos: int, attributes: int) -> Printed:
    return Printed(paper=KL, label=label, n=n, attributes=attributes, n_pos=n_pos)


def _arff(
    name: str,
    *,
    target: str | int = -1,
    drop: tuple[str, ...] = (),
    sparse: tuple[str, ...] = (),
) -> Files:
    return Files(names=(f"{name}.arff",), target=target, drop=drop, sparse=sparse)


_INFERRED = "The classes are grouped by an inference from the printed share."
_MDLP = (
    "The printed number of attributes is fewer than the set has, presumably because those that "
    "the entropy discretisation leaves in one interval were dropped."
)
_DECIMALS = (
    "KEEL's copy has lost its decimal points (1.5 is 15 but 1.0 is 1), so {} are out of order in "
    "part; OpenML has the original."
)

_BREAST_W = (
    Package(package="mlbench", dataset="BreastCancer", all_numeric=True, drop=("Id",)),
    Files(names=("breast-cancer-wisconsin.data",), drop=("V1",)),
    OnOpenML(number=15, name="breast-w"),
)
_CREDIT = (_arff("credit.a"), OnOpenML(number=29, name="credit-approval"))
_GLASS = (
    Package(package="mlbench", dataset="Glass"),
    Files(names=("glass.data",), nominal=(10,), drop=("V1",)),
    OnOpenML(number=41, name="glass"),
)
_VOTES = (
    Package(package="mlbench", dataset="HouseVotes84", target="Class"),
    Files(names=("house-votes-84.data",), target=0),
    OnOpenML(number=56, name="vote"),
)
_HEART_H = ("slope", "ca", "thal")
_PIMA = (
    Package(package="mlbench", dataset="PimaIndiansDiabetes"),
    Files(names=("pima.dat",)),
    OnOpenML(number=37, name="diabetes"),
)
_STATLOG_HEART = (
    Files(names=("heart.dat",), note=_DECIMALS.format("its ST depressions")),
    OnOpenML(number=53, name="heart-statlog"),
)
_TUMORS = (
    *("lung", "head and neck", "esophagus", "thyroid", "stomach", "duoden and sm.int"),
    *("colon", "rectum", "anus", "salivary glands"),
)
_MUSHROOM = (_arff("mushroom"), OnOpenML(number=24, name="mushroom"))
_HEPATITIS = OnOpenML(number=55, name="hepatitis")

_ENTRIES = (
    Entry(
        name="australian",
        title="Australian credit (Statlog)",
        positive=("1", "+"),
        grouping="class 1",
        printed=(_wf("Australia", 14, 690, 55.51), _kl("aust", 690, 307, 14)),
        places=(
            Files(
                names=("australian.dat",),
                nominal=(0, 3, 4, 5, 7, 8, 10, 11),
                note=_DECIMALS.format("A2, A3 and A7"),
            ),
            OnOpenML(number=40981, name="Australian"),
        ),
    ),
    Entry(
        name="sonar",
        title="Sonar",
        positive=("M", "Mine"),
        grouping="mine",
        printed=(_wf("Sonar", 60, 208, 51.92),),
        places=(
            Package(package="mlbench", dataset="Sonar"),
            Files(names=("sonar.dat",)),
            OnOpenML(number=40, name="sonar"),
        ),
    ),
    Entry(
        name="glass",
        title="Glass",
        positive=("1", "build wind float"),
        grouping="class 1 against the rest",
        printed=(_wf("Glass", 9, 214, 67.29),),
        places=_GLASS,
        notes=(_INFERRED,),
    ),
    Entry(
        name="german",
        title="German credit",
        positive=("1", "good"),
        grouping="good",
        printed=(
            _wf("German", 20, 1000, 69.40),
            _wff("German", 20, 1000, 69.40),
            _kl("ger", 1000, 700, 20),
        ),
        places=(Files(names=("german.dat",)), OnOpenML(number=31, name="credit-g")),
    ),
    *(
        Entry(
            name=f"monk{i}",
            title=f"MONK {i}",
            positive=("1",),
            grouping="class 1",
            printed=(
                _wf(f"Monk{i}", 6, n, majority),
                _wff(f"Monk{i}", 6, n, majority),
            ),
            places=(Generated(make=partial(monk, i)),),
        )
        for i, n, majority in ((1, 556, 50.00), (2, 601, 65.72), (3, 554, 55.41))
    ),
    Entry(
        name="hepatitis",
        title="Hepatitis",
        positive=("DIE",),
        grouping="died",
        printed=(_wf("Hepatitis", 19, 155, 78.71), _kl("hepa", 155, 32, 19)),
        places=(_arff("hepatitis"), _HEPATITIS),
    ),
    Entry(
        name="votes",
        title="House votes 1984",
        positive=("republican",),
        grouping="republican",
        printed=(
            _wf("House", 16, 435, 62.07),
            _wff("House-vote", 16, 435, 54.25),
            _kl("vots", 435, 168, 16),
        ),
        places=_VOTES,
    ),
    Entry(
        name="tic-tac-toe",
        title="Tic-tac-toe",
        positive=("positive",),
        grouping="x has won",
        printed=(
            _wf("Tic-tac-toe", 9, 958, 64.20),
            _wff("Tic-tac-toe", 9, 958, 64.20),
            _kl("tic", 958, 626, 9),
        ),
        places=(Generated(make=tic_tac_toe),),
    ),
    Entry(
        name="heart-statlog",
        title="Heart (Statlog)",
        positive=("2", "present"),
        grouping="heart disease",
        printed=(
            _wf("Heart", 13, 227, 55.56),
            _wff("Heart-statlog", 13, 270, 59.50),
            _kl("hart", 270, 120, 13),
        ),
        places=_STATLOG_HEART,
    ),
    Entry(
        name="ionosphere",
        title="Ionosphere",
        positive=("good", "g"),
        grouping="good",
        printed=(_wf("Ionosphere", 34, 351, 64.10), _kl("iono", 351, 225, 34)),
        places=(
            Package(package="mlbench", dataset="Ionosphere", all_numeric=True),
            Files(names=("ionosphere.data",)),
            OnOpenML(number=59, name="ionosphere"),
        ),
    ),
    Entry(
        name="breast-cancer",
        title="Breast cancer (Ljubljana)",
        positive=("recurrence-events",),
        grouping="recurrence",
        printed=(_wf("Breast Cancer", 9, 286, 70.28), _wff("Breast Cancer", 9, 286, 70.28)),
        places=(_arff("breast.cancer"), OnOpenML(number=13, name="breast-cancer")),
    ),
    Entry(
        name="lymph",
        title="Lymphography",
        positive=("normal", "metastases"),
        grouping="normal or metastases",
        printed=(_wf("Lymphography", 17, 148, 56.81),),
        places=(_arff("lymph"), OnOpenML(number=10, name="lymph")),
        notes=(_INFERRED,),
    ),
    Entry(
        name="primary-tumor",
        title="Primary tumor",
        positive=_TUMORS,
        grouping="the first ten classes of the file",
        printed=(_wf("Primary Tumor", 17, 339, 55.75),),
        places=(_arff("primary.tumor"), OnOpenML(number=171, name="primary-tumor")),
        notes=(_INFERRED,),
    ),
    Entry(
        name="solar-flare",
        title="Solar flare 1",
        positive=("D", "E", "F", "H"),
        grouping="Zurich class D, E, F or H",
        printed=(_wf("Solar-Flare", 12, 323, 56.35),),
        places=(_arff("solar.flare1", target="class"),),
        notes=(_INFERRED,),
    ),
    Entry(
        name="hayes-roth",
        title="Hayes-Roth",
        positive=("1",),
        grouping="class 1 against the rest",
        printed=(_wf("Hayes-Roth", 4, 133, 60.91),),
        places=(
            Files(names=("hayes-roth.dat",), nominal=(0, 1, 2, 3, 4), rows=132),
            OnOpenML(number=329, name="hayes-roth"),
        ),
        notes=(_INFERRED,),
    ),
    Entry(
        name="credit-a",
        title="Credit approval",
        positive=("+",),
        grouping="approved",
        printed=(
            _wf("Credit", 15, 690, 55.51),
            _wff("Credit-a", 15, 690, 55.51),
            _kl("jcrx", 690, 307, 15),
        ),
        places=_CREDIT,
    ),
    Entry(
        name="balance",
        title="Balance scale",
        positive=("L",),
        grouping="left against balanced and right",
        printed=(_wf("Balance", 4, 625, 53.92),),
        places=(Generated(make=balance_scale),),
        notes=(_INFERRED,),
    ),
    Entry(
        name="bridges",
        title="Pittsburgh bridges",
        positive=("HIGHWAY",),
        grouping="purpose highway against the rest",
        printed=(_wf("Bridges", 12, 108, 66.67),),
        places=(_arff("bridges.version1", target="PURPOSE", drop=("IDENTIF",)),),
        notes=(
            "The paper does not say which column is the class; the purpose (72 of the original "
            "108 are highway bridges, 66.67%) is an inference.",
            "The identifier is left out.",
        ),
    ),
    Entry(
        name="kr-vs-kp",
        title="Chess, king and rook against king and pawn",
        positive=("won",),
        grouping="white can win",
        printed=(_wff("Kr-vs-kp", 36, 3196, 52.22), _kl("chss", 3196, 1669, 36)),
        places=(Files(names=("chess.dat",)), OnOpenML(number=3, name="kr-vs-kp")),
    ),
    Entry(
        name="spam",
        title="Spambase",
        positive=("spam", "1"),
        grouping="spam",
        printed=(_wff("Spam", 57, 4601, 60.59), _kl("spam", 4601, 1813, 57)),
        places=(
            Package(package="kernlab", dataset="spam"),
            Files(names=("spambase.data",), nominal=(57,)),
            OnOpenML(number=44, name="spambase"),
        ),
    ),
    Entry(
        name="breast-w",
        title="Breast cancer (Wisconsin)",
        positive=("malignant", "4"),
        grouping="malignant",
        printed=(_wff("Breast-w", 9, 699, 65.52), _kl("wisc", 699, 241, 9)),
        places=_BREAST_W,
    ),
    Entry(
        name="colic",
        title="Horse colic",
        positive=("yes",),
        grouping="surgical lesion",
        printed=(_wff("Colic", 22, 368, 63.04),),
        places=(_arff("colic"), OnOpenML(number=25, name="colic")),
    ),
    Entry(
        name="sick",
        title="Thyroid, sick",
        positive=("sick",),
        grouping="sick",
        printed=(_wff("Sick", 29, 3772, 93.87),),
        places=(_arff("sick"), OnOpenML(number=38, name="sick")),
    ),
    Entry(
        name="caravan",
        title="Caravan insurance (CoIL 2000)",
        positive=("insurance", "1", "Yes"),
        grouping="insured",
        printed=(_wff("Caravan", 85, 5822, 94.02),),
        places=(
            Package(package="kernlab", dataset="ticdata", rows=5822),
            Files(names=("ticdata2000.txt",), nominal=(0, 4, 85)),
        ),
    ),
    Entry(
        name="hypothyroid",
        title="Hypothyroid",
        positive=("hypothyroid",),
        grouping="hypothyroid",
        printed=(_wff("Hypothyroid", 25, 3163, 95.22),),
        places=(
            Files(names=("hypothyroid3163.csv",), header=True, target="status"),
            Files(names=("hypothyroid.data",), target=0),
        ),
    ),
    Entry(
        name="mushroom",
        title="Mushroom",
        positive=("p",),
        grouping="poisonous",
        printed=(
            _wff("Mushroom", 22, 8124, 51.80),
            _hl("mushroom", 21, 2, 8124),
            _kl("mush", 8124, 3916, 23),
        ),
        places=_MUSHROOM,
    ),
    Entry(
        name="breast-w-complete",
        title="Breast cancer (Wisconsin), complete rows",
        positive=("malignant", "4"),
        grouping="malignant",
        printed=(_hl("breast", 9, 2, 683),),
        places=_BREAST_W,
        complete=True,
    ),
    Entry(
        name="cars-700",
        title="Cars with 700 rows",
        printed=(_hl("cars", 6, 2, 700),),
        why_absent="the authors' 700 rows of the 1728 of UCI's car evaluation are not published",
    ),
    Entry(
        name="credit-complete",
        title="Credit approval, complete rows",
        positive=("+",),
        grouping="approved",
        printed=(_hl("credit", 15, 2, 653),),
        places=_CREDIT,
        complete=True,
    ),
    Entry(
        name="dermatology",
        title="Dermatology",
        positive=("1",),
        grouping="psoriasis against the rest",
        printed=(_hl("dermatology", 34, 4, 366),),
        places=(_arff("dermatology"), OnOpenML(number=35, name="dermatology")),
    ),
    Entry(
        name="echocardiogram-complete",
        title="Echocardiogram, alive after a year, complete rows",
        positive=("1",),
        grouping="alive after a year",
        printed=(_hl("echocardio", 4, 2, 61),),
        places=(
            Files(
                names=("echocardiogram.data",),
                nominal=(1, 3, 11),
                target="V12",
                sparse=("V10", "V11"),
                drop=("V1", "V2"),
            ),
        ),
        complete=True,
        without=("2",),
        notes=(
            "The months of survival and whether the patient still lives, which decide the class, "
            "are left out.",
            _MDLP,
        ),
    ),
    Entry(
        name="ecoli",
        title="E. coli, cytoplasm against the rest",
        positive=("cp",),
        grouping="cytoplasm against the rest",
        printed=(_hl("eco", 6, 2, 332),),
        places=(_arff("ecoli"), OnOpenML(number=39, name="ecoli")),
        without=("imS", "imL"),
        notes=(
            "The paper does not say how the eight classes became two; without the four rows of "
            "imS and imL there are its 332, and cytoplasm against the rest is a guess.",
            _MDLP,
        ),
    ),
    Entry(
        name="glass-6",
        title="Glass, six classes",
        positive=("1", "build wind float"),
        grouping="class 1 against the rest",
        printed=(_hl("glass", 8, 6, 214),),
        places=_GLASS,
        notes=(_MDLP,),
    ),
    Entry(
        name="heart-h-complete",
        title="Heart (Hungarian), complete rows",
        positive=("<50",),
        grouping="diameter narrowing below 50%",
        printed=(_hl("heart", 8, 2, 261),),
        places=(
            _arff("heart.h", sparse=_HEART_H),
            OnOpenML(number=51, name="heart-h", sparse=_HEART_H),
        ),
        complete=True,
        notes=(
            "Without slope, ca and thal, which are mostly missing, 261 rows are complete.",
            _MDLP,
        ),
    ),
    Entry(
        name="hepatitis-complete",
        title="Hepatitis, complete rows",
        positive=("DIE",),
        grouping="died",
        printed=(_hl("hepatitis", 8, 2, 112),),
        places=(
            _arff("hepatitis", sparse=("PROTIME",)),
            OnOpenML(number=55, name="hepatitis", sparse=("PROTIME",)),
        ),
        complete=True,
        notes=("Without the prothrombin time 112 rows are complete.", _MDLP),
    ),
    Entry(
        name="import",
        title="Imported cars, diesel against gas",
        positive=("diesel",),
        grouping="diesel",
        printed=(_hl("import", 23, 2, 205),),
        places=(
            _arff("autos", target="fuel-type"),
            OnOpenML(number=9, name="autos", target="fuel-type"),
        ),
        notes=(
            "The paper does not name the class; the fuel type is a guess, being a column with two "
            "values that trees predict without error, as printed.",
        ),
    ),
    Entry(
        name="iris",
        title="Iris",
        positive=("setosa",),
        grouping="setosa against the rest",
        printed=(_hl("iris", 4, 3, 150),),
        places=(Bundled(loader="load_iris"),),
    ),
    Entry(
        name="liver",
        title="Liver disorders (BUPA)",
        positive=("1",),
        grouping="selector 1",
        printed=(_hl("liver", 2, 2, 345),),
        places=(
            Files(names=("bupa.dat",), nominal=(6,)),
            OnOpenML(number=1480, name="bupa"),
        ),
        notes=(_MDLP,),
    ),
    Entry(
        name="pima-complete",
        title="Pima Indians diabetes, complete rows",
        positive=("pos", "tested_positive"),
        grouping="diabetes",
        printed=(_hl("pima", 6, 2, 392),),
        places=(Package(package="mlbench", dataset="PimaIndiansDiabetes2"),),
        complete=True,
        notes=(_MDLP,),
    ),
    Entry(
        name="solar-flare-2",
        title="Solar flare 2, six Zurich classes",
        positive=("D", "E", "F", "H"),
        grouping="Zurich class D, E, F or H",
        printed=(_hl("solar", 12, 6, 1066),),
        places=(_arff("solar.flare2", target="class"),),
    ),
    Entry(
        name="thyroid-2000",
        title="Thyroid with 2000 rows",
        printed=(_hl("thyroid", 24, 2, 2000),),
        why_absent="the authors' 2000 rows of UCI's thyroid sets are not published",
    ),
    Entry(
        name="votes-complete",
        title="House votes 1984, complete rows",
        positive=("republican",),
        grouping="republican",
        printed=(_hl("voting", 16, 2, 232),),
        places=_VOTES,
        complete=True,
    ),
    Entry(
        name="wine",
        title="Wine",
        positive=("class_0",),
        grouping="cultivar 0 against the rest",
        printed=(_hl("wine", 13, 3, 178),),
        places=(Bundled(loader="load_wine"),),
    ),
    Entry(
        name="promoters",
        title="Promoter gene sequences",
        positive=("+",),
        grouping="promoter",
        printed=(_kl("prom", 106, 53, 57),),
        places=(
            Package(package="kernlab", dataset="promotergene", target="Class"),
            OnOpenML(number=164, name="molecular-biology_promoters", drop=("instance",)),
        ),
    ),
    Entry(
        name="echocardiogram",
        title="Echocardiogram, still alive",
        positive=("1",),
        grouping="still alive",
        printed=(_kl("echo", 132, 43, 7),),
        places=(
            Files(
                names=("echocardiogram.data",),
                nominal=(1, 3),
                target="V2",
                drop=("V1", "V10", "V11", "V12"),
            ),
        ),
    ),
    Entry(
        name="parkinsons",
        title="Parkinson's voices",
        positive=("1", "2"),
        grouping="Parkinson's disease",
        printed=(_kl("prks", 195, 147, 22),),
        places=(
            Files(names=("parkinsons.data",), header=True, target="status", drop=("name",)),
            OnOpenML(number=1488, name="parkinsons"),
        ),
    ),
    Entry(
        name="heart-h",
        title="Heart (Hungarian)",
        positive=("<50",),
        grouping="diameter narrowing below 50%",
        printed=(_kl("hrth", 294, 188, 13),),
        places=(_arff("heart.h"), OnOpenML(number=51, name="heart-h")),
    ),
    Entry(
        name="horse-colic",
        title="Horse colic, training part",
        positive=("1",),
        grouping="surgical lesion",
        printed=(_kl("hors", 296, 188, 21),),
        places=(
            Files(
                names=("horse-colic.data",),
                nominal=(0, 1, *range(6, 15), 16, 17, 20, 23),
                target="V24",
                drop=("V3", "V23", "V25", "V26", "V27", "V28"),
            ),
        ),
        notes=(
            "Left out are the hospital number, the outcome, the types of lesion and the mark of "
            "the pathology file, which leaves the printed 21 attributes; which four rows the "
            "paper left out is not known.",
        ),
    ),
    Entry(
        name="haberman",
        title="Haberman's survival",
        positive=("positive", "2"),
        grouping="died within five years",
        printed=(_kl("habr", 306, 81, 3),),
        places=(
            Files(names=("haberman.dat",)),
            Files(names=("haberman.data",), nominal=(3,)),
            OnOpenML(number=43, name="haberman"),
        ),
    ),
    Entry(
        name="transfusion",
        title="Blood transfusion",
        positive=("1", "2"),
        grouping="gave blood",
        printed=(_kl("blod", 748, 178, 4),),
        places=(
            Files(names=("transfusion.data",), header=True),
            OnOpenML(number=1464, name="blood-transfusion-service-center"),
        ),
    ),
    Entry(
        name="pima",
        title="Pima Indians diabetes",
        positive=("pos", "tested_positive"),
        grouping="diabetes",
        printed=(_kl("diab", 768, 268, 8),),
        places=_PIMA,
    ),
    Entry(
        name="mammographic",
        title="Mammographic masses",
        positive=("1",),
        grouping="malignant",
        printed=(_kl("mamo", 945, 434, 5),),
        places=(Files(names=("mammographic_masses.data",), header=True, nominal=(2, 3)),),
        notes=("Which 16 of the 961 rows the paper left out is not known; all are used.",),
    ),
    Entry(
        name="ozone-8h",
        title="Ozone level, 8 hours",
        positive=("1.", "1.0", "1", "2"),
        grouping="ozone day",
        printed=(_kl("oz8h", 2534, 160, 72),),
        places=(
            Files(names=("ozone_eighthr.data",), drop=("V1",)),
            OnOpenML(number=1487, name="ozone-level-8hr"),
        ),
    ),
    Entry(
        name="ozone-1h",
        title="Ozone level, 1 hour",
        positive=("1.", "1.0", "1"),
        grouping="ozone day",
        printed=(_kl("oz1h", 2536, 73, 72),),
        places=(Files(names=("ozone_onehr.data",), header=True, drop=("Date",)),),
    ),
    Entry(
        name="internet-ads",
        title="Internet advertisements",
        positive=("ad", "ad.", "1"),
        grouping="advertisement",
        printed=(_kl("ads", 3279, 459, 1558),),
        places=(
            Files(names=("ad.data",)),
            OnOpenML(number=40978, name="Internet-Advertisements"),
        ),
    ),
    Entry(
        name="magic",
        title="MAGIC gamma telescope",
        positive=("g",),
        grouping="gamma",
        printed=(_kl("mgic", 19020, 12332, 10),),
        places=(
            Files(names=("magic.dat",)),
            OnOpenML(number=1120, name="MagicTelescope", drop=("ID:",)),
        ),
    ),
    Entry(
        name="adult",
        title="Census income",
        positive=(">50K",),
        grouping="more than 50,000 dollars a year",
        printed=(_kl("adlt", 32562, 7841, 14),),
        places=(Files(names=("adult.data",)),),
    ),
)

CATALOGUE: Mapping[str, Entry] = MappingProxyType({entry.name: entry for entry in _ENTRIES})
