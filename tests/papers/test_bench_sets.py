"""Benchmark sets: generated ones against their files, files against what the papers print."""

import gzip
import itertools
import os
from pathlib import Path
from types import SimpleNamespace
from urllib.error import HTTPError, URLError

import numpy as np
import pandas as pd
import pytest
from scipy.io import arff as scipy_arff

import rocstats as rs
from rocstats import rbridge
from rocstats.cli import main
from rocstats.papers.data_sets.arff import read_arff, split_words
from rocstats.papers.data_sets.benchmark_set import AbsentSet, BenchSet
from rocstats.papers.data_sets.known_sets import CATALOGUE
from rocstats.papers.data_sets.loading import load_set, sets_of
from rocstats.papers.data_sets.set_files import read_file
from rocstats.papers.data_sets.set_sources import Files, Package

DATA = Path(os.environ.get("ROCSTATS_DATA", Path(__file__).parents[3] / "shared" / "data"))
needs_data = pytest.mark.skipif(
    not (DATA / "hepatitis.arff").is_file(), reason="needs a folder of UCI's data, ROCSTATS_DATA"
)

# rows and positive rows of what the folder has
FROM_FILES = {
    "hepatitis": (155, 32),
    "breast-cancer": (286, 85),
    "lymph": (148, 83),
    "primary-tumor": (339, 189),
    "solar-flare": (323, 182),
    "credit-a": (690, 307),
    "bridges": (107, 71),
    "colic": (368, 232),
    "sick": (3772, 231),
    "hypothyroid": (3163, 151),
    "mushroom": (8124, 3916),
    "credit-complete": (653, 296),
    "dermatology": (366, 112),
    "echocardiogram-complete": (61, 17),
    "ecoli": (332, 143),
    "heart-h-complete": (261, 163),
    "hepatitis-complete": (112, 19),
    "import": (205, 20),
    "solar-flare-2": (1066, 708),
    "echocardiogram": (131, 43),
    "parkinsons": (195, 147),
    "heart-h": (294, 188),
    "horse-colic": (300, 191),
    "transfusion": (748, 178),
    "mammographic": (961, 445),
    "ozone-8h": (2534, 160),
    "ozone-1h": (2536, 73),
    "adult": (32561, 7841),
}
FROM_R = {
    "sonar": (208, 111),
    "glass": (214, 70),
    "votes": (435, 168),
    "ionosphere": (351, 225),
    "spam": (4601, 1813),
    "breast-w": (699, 241),
    "caravan": (5822, 348),
    "breast-w-complete": (683, 239),
    "pima-complete": (392, 130),
    "votes-complete": (232, 108),
    "promoters": (106, 53),
    "pima": (768, 268),
    "glass-6": (214, 70),
}


# ---------------------------------------------------------------------------------------- generated


@needs_data
@pytest.mark.parametrize("problem", [1, 2, 3])
def test_monk_is_its_rule_and_its_published_training_rows(problem):
    found = load_set(f"monk{problem}")
    assert isinstance(found, BenchSet)
    parts = [read_file(DATA / f"monks-{problem}.{p}.arff", header=False) for p in ("test", "train")]
    printed = [
        tuple(int(part[j].levels[int(part[j].values[i])]) for j in (1, 2, 3, 4, 5, 6, 0))
        for part in parts
        for i in range(part[0].values.size)
    ]
    ours = [(*(int(v) + 1 for v in row), int(y)) for row, y in zip(found.X, found.y, strict=True)]
    assert sorted(ours) == sorted(printed)
    assert ours[:432] == printed[:432]  # the rule alone, in the order of the file


@pytest.mark.parametrize(("problem", "n", "n_pos"), [(1, 556, 278), (2, 601, 206), (3, 554, 288)])
def test_monk_sizes(problem, n, n_pos):
    found = load_set(f"monk{problem}")
    assert (found.n, found.n_pos, found.levels) == (n, n_pos, (3, 3, 2, 3, 4, 2))
    same = [np.all(found.X[:432] == found.X[i], axis=1).argmax() for i in range(432, n)]
    noisy = np.flatnonzero(found.y[432:] != found.y[same])
    assert len(noisy) == (6 if problem == 3 else 0)


def test_tic_tac_toe_is_every_board_on_which_a_game_can_end():
    found = load_set("tic-tac-toe")
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    expected = {}
    for board in itertools.product((0, 1, 2), repeat=9):  # blank, o, x
        crosses, noughts = board.count(2), board.count(1)
        o_won, x_won = (
            any(all(board[i] == player for i in line) for line in lines) for player in (1, 2)
        )
        if x_won and not o_won and crosses == noughts + 1:
            expected[board] = True
        elif (o_won and not x_won and crosses == noughts) or (
            not o_won and not x_won and crosses == 5 and noughts == 4
        ):
            expected[board] = False
    ours = {tuple(int(v) for v in row): bool(y) for row, y in zip(found.X, found.y, strict=True)}
    assert ours == expected
    assert (found.n, found.n_pos) == (958, 626)


@needs_data
def test_balance_scale_is_its_file():
    columns = read_file(DATA / "balance.scale.arff", header=False)
    found = load_set("balance")
    file = zip(*(column.words() for column in columns), strict=True)
    labels = [found.classes[c] for c in found.target]
    ours = [(*(f"{v:g}" for v in row), c) for row, c in zip(found.X, labels, strict=True)]
    assert sorted(ours) == sorted(file)
    assert (found.n, found.n_pos) == (625, 288)


def test_generated_sets_do_not_change():
    assert {name: load_set(name).sha256[:12] for name in GENERATED} == GENERATED


GENERATED = {
    "monk1": "5bcc03e5b663",
    "monk2": "c1ade23d7ef8",
    "monk3": "d86ac6877c79",
    "tic-tac-toe": "e0095fbcd645",
    "balance": "08f0d5423a36",
}


# ------------------------------------------------------------------------------ files, R, catalogue


@needs_data
@pytest.mark.parametrize("name", FROM_FILES)
def test_files_have_the_sizes_of_their_documentation(name):
    found = load_set(name, data=DATA, r=False)
    assert isinstance(found, BenchSet)
    assert (found.n, found.n_pos) == FROM_FILES[name]
    assert found.source.startswith("file ")
    nominal = np.array(found.levels) > 0
    assert not np.isnan(found.X[:, nominal]).any()
    assert (found.X[:, nominal] < np.array(found.levels)[nominal]).all()
    assert (found.X[:, nominal] >= -1).all()
    if CATALOGUE[name].complete:
        assert not np.isnan(found.X).any()
        assert (found.X[:, nominal] >= 0).all()


@pytest.mark.parametrize("name", FROM_R)
def test_sets_of_r_packages_have_the_sizes_of_their_documentation(name):
    if not rbridge.available(["mlbench", "kernlab"]):
        pytest.skip("needs R with mlbench and kernlab")
    found = load_set(name)
    assert isinstance(found, BenchSet)
    assert (found.n, found.n_pos) == FROM_R[name]
    assert found.source.startswith("R package")
    assert found.X.astype(np.float32).shape == found.X.shape  # R's NA would warn


def test_every_set_of_the_papers_has_a_line():
    assert {paper: len(sets_of(paper)) for paper in PAPERS} == PAPERS
    for entry in CATALOGUE.values():
        assert bool(entry.places) != bool(entry.why_absent)
        assert not entry.places or entry.positive
    known = {*FROM_FILES, *FROM_R}
    first = {name: entry.places[0] for name, entry in CATALOGUE.items() if entry.places}
    assert {n for n, place in first.items() if isinstance(place, Package)} == set(FROM_R)
    unseen = {n for n, place in first.items() if isinstance(place, Files)} - known
    assert unseen == {  # of KEEL or OpenML, which CI has not
        *("australian", "german", "heart-statlog", "hayes-roth", "kr-vs-kp", "liver"),
        *("haberman", "internet-ads", "magic"),
    }


PAPERS = {"wu-flach-2005": 20, "wu-flach-ferri-2007": 17, "huang-ling-2005": 18, "klement-2011": 26}


def test_deviations_are_printed():
    found = load_set("monk3")
    said = "wu-flach-2005 (Monk3) prints 55.41% in the larger class; here are 51.99%."
    assert said in found.deviations
    assert load_set("monk1").deviations == ()


@needs_data
def test_scipy_reads_the_same_file():
    path = DATA / "hepatitis.arff"
    rows, meta = scipy_arff.loadarff(path)
    for column in read_file(path, header=False):
        theirs = rows[column.name]
        if column.levels:
            words = [None if word == b"?" else word.decode() for word in theirs]
            assert column.words() == words
            assert list(column.levels) == list(meta[column.name][1])
        else:
            assert np.array_equal(column.values, theirs, equal_nan=True)


# --------------------------------------------------------------------------- absent, broken, OpenML


def test_a_missing_set_says_where_to_get_it(tmp_path):
    found = load_set("hepatitis", data=tmp_path, r=False)
    assert isinstance(found, AbsentSet)
    assert "hepatitis.arff in the folder of --data" in found.reason
    assert "OpenML's data set 55 (hepatitis), fetched with --openml" in found.reason
    assert repr(found).startswith("Hepatitis is not here: ")
    assert "not published" in load_set("cars-700").reason
    with pytest.raises(rs.InvalidOptionError, match="Did you mean 'hepatitis'"):
        load_set("hepatits")
    with pytest.raises(rs.InvalidSampleError, match="There is no folder"):
        load_set("hepatitis", data=tmp_path / "nowhere")


ARFF = """% a comment
@relation 'a test'
@ATTRIBUTE 'the age' REAL
@attribute colour {'light blue', red, "it's"}
@attribute count integer[0, 10]
@inputs the age, colour, count
@attribute class {yes,no}

@data
1.5,'light blue',3,yes
% another
?,red,?,no
-2e3, "it's" , 4 ,yes
"""


def test_arff_reader():
    age, colour, count, label = read_arff(ARFF.splitlines(), "test.arff")
    assert age.name == "the age"
    assert np.array_equal(age.values, [1.5, np.nan, -2000.0], equal_nan=True)
    assert colour.words() == ["light blue", "red", "it's"]
    assert count.values[2] == 4.0
    assert label.words() == ["yes", "no", "yes"]
    assert age.present.tolist() == [True, False, True]
    assert colour.present.all()
    assert split_words("a,'b,c',") == ["a", "b,c", ""]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("blue',3,yes", "blue',yes"), "line 10: 4 values were expected, got 3"),
        (("1.5,", "x,"), "test.arff: Attribute the age is numeric, but row 1 has 'x'"),
        (("?,red", "?,green"), "has the levels light blue, red, it's, but row 2 has 'green'"),
        (("@data", "@date"), "line 9: an ARFF header was expected"),
        (("integer[0, 10]", "string"), "count is string, but only nominal and numeric"),
        (("1.5,'light", "inf,'light"), "the age holds an infinite number"),
    ],
)
def test_broken_arff_is_refused(change, message):
    with pytest.raises(rs.InvalidSampleError, match=message.replace("[", r"\[")):
        read_arff(ARFF.replace(*change).splitlines(), "test.arff")


def test_broken_files_are_refused(tmp_path):
    path = tmp_path / "mushroom.arff.gz"
    path.write_bytes(gzip.compress(ARFF.encode())[:-20])
    with pytest.raises(rs.InvalidSampleError, match=r"mushroom\.arff\.gz cannot be read"):
        load_set("mushroom", data=tmp_path)
    path.unlink()
    (tmp_path / "mushroom.arff").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(rs.InvalidSampleError, match="not a text file"):
        load_set("mushroom", data=tmp_path)
    (tmp_path / "mushroom.arff").write_text(ARFF)
    with pytest.raises(rs.InvalidSampleError, match="positive classes p; its classes are yes, no"):
        load_set("mushroom", data=tmp_path)
    (tmp_path / "mushroom.arff").write_text("@relation x\n@attribute a real\n@data\n")
    with pytest.raises(rs.InvalidSampleError, match="no rows after @data"):
        load_set("mushroom", data=tmp_path)
    (tmp_path / "transfusion.data").write_text("a,b,c\n1,2,3\n1,2\n")
    with pytest.raises(rs.InvalidSampleError, match="row 2: 3 values were expected, got 2"):
        load_set("transfusion", data=tmp_path)
    (tmp_path / "hypothyroid3163.csv").write_text("a,b\n1,2\n")
    with pytest.raises(rs.InvalidSampleError, match="no column status"):
        load_set("hypothyroid", data=tmp_path)


def test_plain_files_and_keel_files(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "Haberman.dat").write_text("38, 59, 2, negative\n39, 63, 4, positive\n")
    found = load_set("haberman", data=tmp_path)
    assert found.source == "file Haberman.dat"
    assert (found.X.tolist(), found.y.tolist()) == ([[38, 59, 2], [39, 63, 4]], [False, True])
    assert "klement-2011 (habr) prints 306 rows; here are 2." in found.deviations
    (tmp_path / "heart.dat").write_text("70.0 1.0 2\n67.0 0.0 1\n")
    assert not any("KEEL" in said for said in load_set("heart-statlog", data=tmp_path).deviations)
    (tmp_path / "heart.dat").write_text("70,1,2\n67,0,1\n")
    assert any("KEEL" in said for said in load_set("heart-statlog", data=tmp_path).deviations)


def test_openml_is_asked_only_when_the_user_asks(monkeypatch):
    frame = pd.DataFrame(
        {
            "age": [30.0, None, 50.0],
            "SEX": pd.Categorical(["male", None, "female"], categories=["male", "female"]),
        }
    )
    target = pd.Series(pd.Categorical(["DIE", "LIVE", "LIVE"]), name="Class")
    asked = []

    def fetch(data_id, **options):
        asked.append(data_id)
        if answer == "offline":
            raise OSError("no route")
        if answer == "gone":
            raise HTTPError("", 404, "gone", None, None)
        return SimpleNamespace(data=frame, target=target, details={"name": answer})

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)
    answer = "hepatitis"
    assert isinstance(load_set("hepatitis"), AbsentSet)
    assert asked == []
    found = load_set("hepatitis", openml=True)
    assert (found.source, found.levels) == ("OpenML 55", (0, 2))
    assert found.y.tolist() == [True, False, False]
    assert np.array_equal(found.X, [[30, 0], [np.nan, -1], [50, 1]], equal_nan=True)
    answer = "something else"
    with pytest.raises(rs.InvalidSampleError, match="but hepatitis was expected"):
        load_set("hepatitis", openml=True)
    answer = "offline"
    with pytest.raises(
        rs.InvalidOptionError, match=r"OpenML cannot be reached \(no route\); go on"
    ):
        load_set("hepatitis", openml=True)
    answer = "gone"
    assert "the download failed: HTTP Error 404" in load_set("hepatitis", openml=True).reason


def test_a_run_without_a_network_says_so_once(monkeypatch, capsys, tmp_path):
    def unknown(request):
        raise URLError(OSError(-2, "Name or service not known"))

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", unknown)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    assert main(["study", "run", "klement-2011", "--quick", "--openml"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("rocstats: OpenML cannot be reached (")
    assert len(said.splitlines()) == 1


def test_a_folder_that_cannot_be_read_is_named(monkeypatch, tmp_path):
    def closed(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", closed)
    with pytest.raises(rs.InvalidSampleError, match="cannot be read: Permission denied"):
        load_set("hepatitis", data=tmp_path)


def test_marked_and_gzipped_files_are_read(tmp_path):
    text = (
        "@relation h\n@attribute age numeric\n@attribute Class {DIE, LIVE}\n@data\n3,DIE\n4,LIVE\n"
    )
    (tmp_path / "hepatitis.arff").write_text(text, encoding="utf-8-sig")
    assert load_set("hepatitis", data=tmp_path).X.tolist() == [[3.0], [4.0]]
    (tmp_path / "heart.dat.gz").write_bytes(gzip.compress(b"70,1,2\n67,0,1\n"))
    assert any("KEEL" in said for said in load_set("heart-statlog", data=tmp_path).deviations)


def test_bundled_sets_and_their_description():
    found = load_set("iris")
    assert (found.n, found.classes) == (150, ("setosa", "versicolor", "virginica"))
    assert np.array_equal(found.y, found.target == 0)
    assert repr(found).startswith("Iris: 150 rows, 4 attributes, 50 positive (setosa against the")
    told = load_set("wine").to_dict()
    assert (told["n"], told["n_pos"], told["attributes"], told["missing"]) == (178, 59, 13, 0)
