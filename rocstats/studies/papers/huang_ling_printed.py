"""What Huang & Ling (2005) print of real data: Tables XIV to XVIII."""

from __future__ import annotations

__all__ = [
    "BINARY",
    "SETS",
    "TABLE_XV",
    "TABLE_XVI",
    "TABLE_XVII",
    "TABLE_XVIII",
    "TEXT_AVERAGES",
]

# Attributes, classes, instances.
SETS = {
    "breast": (9, 2, 683),
    "cars": (6, 2, 700),
    "credit": (15, 2, 653),
    "dermatology": (34, 4, 366),
    "echocardio": (4, 2, 61),
    "ecoli": (6, 2, 332),
    "glass": (8, 6, 214),
    "heart": (8, 2, 261),
    "hepatitis": (8, 2, 112),
    "import": (23, 2, 205),
    "iris": (4, 3, 150),
    "liver": (2, 2, 345),
    "mushroom": (21, 2, 8124),
    "pima": (6, 2, 392),
    "solar": (12, 6, 1066),
    "thyroid": (24, 2, 2000),
    "voting": (16, 2, 232),
    "wine": (13, 3, 178),
}
BINARY = tuple(name for name, (_, classes, _) in SETS.items() if classes == 2)

# Accuracy in percent of naive Bayes, C4.4 and C4.5.
TABLE_XV = {
    "breast": (97.5, 92.9, 92.8),
    "cars": (86.4, 88.9, 85.1),
    "credit": (85.8, 88.1, 88.8),
    "dermatology": (98.4, 94.0, 94.0),
    "echocardio": (71.9, 73.6, 73.6),
    "ecoli": (96.7, 96.4, 95.5),
    "glass": (71.8, 73.3, 73.3),
    "heart": (80.8, 78.9, 81.2),
    "hepatitis": (83.0, 81.3, 84.02),
    "import": (96.1, 100.0, 100.0),
    "iris": (95.3, 95.3, 95.3),
    "liver": (62.3, 60.5, 61.1),
    "mushroom": (97.2, 100.0, 100.0),
    "pima": (71.4, 71.9, 71.7),
    "solar": (74.0, 73.0, 73.9),
    "thyroid": (95.7, 96.0, 96.6),
    "voting": (91.4, 95.7, 96.6),
    "wine": (98.9, 95.0, 95.5),
    "average": (86.4, 86.4, 86.6),
}
# AUC in percent of naive Bayes, C4.4 and C4.5.
TABLE_XVI = {
    "breast": (97.5, 96.9, 95.1),
    "cars": (92.8, 94.1, 91.4),
    "credit": (91.9, 90.4, 88.0),
    "dermatology": (98.6, 97.5, 94.6),
    "echocardio": (63.8, 69.4, 68.9),
    "ecoli": (97.0, 97.0, 94.3),
    "glass": (76.1, 73.1, 71.3),
    "heart": (82.7, 80.1, 76.2),
    "hepatitis": (76.5, 62.9, 59.2),
    "import": (91.7, 94.4, 95.1),
    "iris": (94.2, 91.8, 92.4),
    "liver": (61.5, 59.6, 60.5),
    "mushroom": (99.7, 99.9, 99.9),
    "pima": (75.9, 73.4, 72.4),
    "solar": (88.7, 87.7, 85.2),
    "thyroid": (94.9, 94.3, 92.1),
    "voting": (91.4, 95.2, 93.4),
    "wine": (95.3, 94.4, 91.6),
    "average": (87.2, 86.2, 84.5),
}
# Accuracy and AUC in percent of the SVM.
TABLE_XVII = {
    "breast": (96.5, 97.3),
    "cars": (97.0, 98.6),
    "credit": (86.4, 90.4),
    "echocardio": (73.6, 71.5),
    "ecoli": (96.4, 95.0),
    "heart": (79.7, 82.1),
    "hepatitis": (85.8, 64.2),
    "import": (100.0, 93.8),
    "liver": (60.5, 61.6),
    "mushroom": (99.9, 99.9),
    "pima": (72.2, 72.2),
    "thyroid": (96.7, 95.8),
    "voting": (97.0, 95.3),
    "average": (87.8, 86.0),
}
# Averages over the 13 binary sets, from the text: accuracy and AUC of naive Bayes, C4.4, C4.5.
TEXT_AVERAGES = {"accuracy": (85.9, 86.5, 86.7), "auc": (86.0, 85.2, 83.6)}
# Counts of the 180 test sets: consistent, inconsistent, only AUC differs, only accuracy differs,
# neither differs; then the printed C, D and E.
TABLE_XVIII = {
    "C4.4 vs. NB": (84, 29, 55, 2, 10, 0.743, 27.5, 0.056),
    "C4.5 vs. NB": (83, 31, 46, 1, 19, 0.728, 46.0, 0.106),
    "C4.5 vs. C4.4": (45, 36, 67, 1, 31, 0.556, 67.0, 0.172),
}
