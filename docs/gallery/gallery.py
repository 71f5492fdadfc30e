"""The gallery: reports of real studies, and what they look like; writes ``docs/gallery/``.

``python docs/gallery/gallery.py [--data FOLDER] [--only NAME]``. The first three studies are
bundled, the fourth is drawn at random and says so. The others read ``mammographic_masses.data`` and
``parkinsons.data`` of the UCI Machine Learning Repository (CC BY 4.0) from FOLDER and are left as
they are without it. Pictures need Chromium and playwright.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd

import rocstats as rs

HERE = Path(__file__).parent
SIZES = {  # name: width, height, colour scheme
    "desktop": (1280, 1600, "light"),
    "phone": (390, 1600, "light"),
    "dark": (1280, 1600, "dark"),
}


def main() -> None:
    """Write the pages, and pictures of them if asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder with the UCI files")
    parser.add_argument("--only", help="make this study, and pictures of it, and no other")
    parser.add_argument("--pictures", action="store_true", help="take pictures of the pages too")
    args = parser.parse_args()
    HERE.mkdir(exist_ok=True)
    studies = {
        "breast_cancer": breast_cancer,
        "ct_ratings": ct_ratings,
        "two_cutoffs": two_cutoffs,
        "rapid_assay": rapid_assay,
    }
    if args.data is not None:
        studies["mammographic_masses"] = lambda: mammographic_masses(args.data)
        studies["parkinsons"] = lambda: parkinsons(args.data)
    for name, make in studies.items():
        if args.only in (None, name):
            make()
    if args.pictures:
        for page in sorted(HERE.glob(f"{args.only or '*'}.html")):
            take_pictures(page)


def write(name: str, page: rs.Report) -> None:
    """Save a page in the gallery."""
    path = page.save(HERE / f"{name}.html")
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def breast_cancer() -> None:
    """Five features of cell nuclei: comparisons with a reference, a margin, stated prevalence."""
    command = [
        *(sys.executable, "-m", "rocstats", "report", str(rs.datasets.path("breast_cancer"))),
        *("--outcome", "diagnosis", "--positive", "malignant"),
        *("--markers", "worst_area,mean_concave_points,mean_radius,mean_texture,mean_smoothness"),
        *("--versus", "worst_area", "--margin", "0.05", "--prevalence", "0.1"),
        *("--prespecified", "worst_area=880", "--title", "Cell nuclei in breast masses"),
        *("--quiet", "--r", "auto", "-o", str(HERE / "breast_cancer.html")),
    ]
    subprocess.run(command, check=True)


def ct_ratings() -> None:
    """One rating from 1 to 5: heavy ties, few thresholds."""
    sample = rs.datasets.load_ct_ratings()
    page = rs.report(
        sample,
        prespecified={sample.markers[0]: 3},
        prevalence=[0.05, 0.2],
        labels={sample.markers[0]: "Rating"},
        study={
            "title": "CT images rated from 1 to 5",
            "question": "Can a reader tell abnormal from normal CT images?",
            "index_test": "Rating of a CT image, 1 (normal) to 5 (abnormal)",
            "reference_standard": "Disease status as published by Hanley & McNeil (1982)",
        },
    )
    write("ct_ratings", page)


def two_cutoffs() -> None:
    """Two features at cutoffs fixed in advance: paired tables, McNemar, predictive values."""
    frame = rs.read(rs.datasets.path("breast_cancer"))
    page = rs.report(
        frame,
        outcome="diagnosis",
        pos_label="malignant",
        markers=["mean_radius", "worst_area"],
        prespecified={"mean_radius": 15, "worst_area": 880},
        versus="mean_radius",
        prevalence=[0.1],
        labels={"mean_radius": "Mean radius", "worst_area": "Largest area"},
        source=source_of(rs.datasets.path("breast_cancer")),
        study={
            "title": "Two features of cell nuclei at fixed cutoffs",
            "question": "Does the largest area find more malignant masses than the mean radius?",
            "index_test": "Mean radius of 15 or more; largest area of 880 or more",
            "reference_standard": "Diagnosis of the mass",
            "limitations": "The cutoffs are round numbers chosen for this page, not by a protocol.",
        },
    )
    write("two_cutoffs", page)


def rapid_assay() -> None:
    """Results in words of two assays, with invalid ones, beside a comparator: drawn at random."""
    rng = np.random.default_rng(510)
    n = 420
    ill = rng.random(n) < 0.35
    frame = pd.DataFrame(
        {
            "PCR": np.where(ill, "detected", "not detected"),
            "site": rng.choice(["A", "B", "C"], n),
            "days": rng.integers(1, 8, n),
        }
    )
    for name, found, false, invalid in (
        ("laboratory", 0.88, 0.01, 0.004),
        ("rapid", 0.93, 0.03, 0.02),
    ):
        hit = rng.random(n) < np.where(ill, found, false)
        frame[name] = np.where(
            rng.random(n) < invalid, "invalid", np.where(hit, "positive", "negative")
        )
    page = rs.report(
        frame,
        outcome="PCR",
        pos_label="detected",
        markers=["laboratory", "rapid"],
        test_positive=["positive"],
        indeterminate=["invalid"],
        comparator=True,
        subgroup="site",
        baseline=["days"],
        labels={"laboratory": "Laboratory assay", "rapid": "Rapid assay"},
        study={
            "title": "A rapid assay beside a laboratory assay and PCR (drawn at random)",
            "question": "Does a rapid assay agree with PCR as well as a laboratory assay does?",
            "index_test": "Rapid assay and laboratory assay, read as positive or negative",
            "reference_standard": "PCR, which is taken as a comparator and no reference",
            "limitations": "No patients: 420 were drawn at random by docs/gallery/gallery.py to "
            "show the page of a qualitative test.",
        },
    )
    write("rapid_assay", page)


def mammographic_masses(folder: Path) -> None:
    """A reading, features with missing values, and a model's probabilities in held-out patients."""
    import statsmodels.api as sm

    names = ["birads", "age", "shape", "margin", "density", "severity"]
    frame = pd.read_csv(folder / "mammographic_masses.data", header=0, names=names, na_values="?")
    frame["severity"] = np.where(frame["severity"] == 1, "malignant", "benign")
    frame["older"] = np.where(
        frame["age"].isna(), None, np.where(frame["age"] >= 60, "60 or more", "under 60")
    )
    features = ["age", "shape", "margin", "density"]
    train = np.random.default_rng(1).random(len(frame)) < 0.5
    complete = frame[train].dropna(subset=features)
    model = sm.Logit(
        complete["severity"] == "malignant", sm.add_constant(complete[features].astype(float))
    ).fit(disp=False)
    test = frame[~train].copy()
    test["model"] = model.predict(sm.add_constant(test[features].astype(float)))
    page = rs.report(
        test,
        outcome="severity",
        markers=["model", "birads", "age"],
        pos_label="malignant",
        subgroup="older",
        baseline=["age"],
        versus="birads",
        prespecified={"birads": 5, "model": 0.5},
        prevalence=[0.1],
        margin=0.05,
        scores="model",
        labels={"model": "Logistic model", "birads": "BI-RADS", "age": "Age"},
        units={"age": "years"},
        source=source_of(folder / "mammographic_masses.data"),
        study={
            "title": "Mammographic masses: a model against the BI-RADS assessment",
            "question": "Is a logistic model of age and three features no worse than BI-RADS?",
            "index_test": "Logistic model fitted to the other half of the masses; BI-RADS",
            "reference_standard": "Severity by biopsy or follow-up",
        },
    )
    write("mammographic_masses", page)


def parkinsons(folder: Path) -> None:
    """Several voice recordings of each person: clusters, and a marker whose low values count."""
    frame = pd.read_csv(folder / "parkinsons.data")
    frame["person"] = frame["name"].str.extract(r"(S\d+)")[0]
    page = rs.report(
        frame,
        outcome="status",
        markers=["PPE", "spread1", "HNR"],
        cluster="person",
        higher_is_positive={"HNR": False},
        versus="HNR",
        labels={"PPE": "Pitch period entropy", "spread1": "spread1", "HNR": "Harmonics to noise"},
        units={"HNR": "dB"},
        source=source_of(folder / "parkinsons.data"),
        study={
            "title": "Voice recordings in Parkinson's disease",
            "index_test": "Dysphonia measures of a sustained vowel",
            "reference_standard": "Diagnosis of Parkinson's disease",
        },
    )
    write("parkinsons", page)


def source_of(path: Path) -> object:
    """Return where the rows came from."""
    from hashlib import sha256

    from rocstats.analysis.cohort import Source

    return Source(name=path.name, format="CSV", sha256=sha256(path.read_bytes()).hexdigest())


def take_pictures(page: Path) -> None:
    """Save what the page looks like on a desk, on a phone, in the dark and on paper."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    def save(picture: bytes, name: str) -> None:
        image = Image.open(io.BytesIO(picture)).convert("RGB")
        image.quantize(128).save(HERE / f"{page.stem}-{name}.png", optimize=True)

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, (width, height, scheme) in SIZES.items():
            view = browser.new_page(
                viewport={"width": width, "height": height}, color_scheme=scheme
            )
            view.goto(page.resolve().as_uri())
            save(view.screenshot(), name)
            view.close()
        view = browser.new_page()
        view.goto(page.resolve().as_uri())
        paper = HERE / "paper.pdf"
        view.pdf(path=paper, format="A4")
        browser.close()
    subprocess.run(
        ["pdftoppm", "-r", "60", "-f", "1", "-l", "6", "-png", paper, HERE / "paper"], check=True
    )
    sheets = [Image.open(sheet) for sheet in sorted(HERE.glob("paper-*.png"))]
    whole = Image.new(
        "RGB", (sum(s.width + 10 for s in sheets[:3]), 2 * sheets[0].height + 10), "gray"
    )
    for i, sheet in enumerate(sheets):
        whole.paste(sheet, ((i % 3) * (sheet.width + 10), (i // 3) * (sheet.height + 10)))
    whole.quantize(128).save(HERE / f"{page.stem}-print.png", optimize=True)
    for left in (paper, *HERE.glob("paper-*.png")):
        left.unlink()


if __name__ == "__main__":
    main()
