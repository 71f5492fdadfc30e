"""What Klement et al. (2011) print: Table 1. Figures 4 to 7 are pictures without numbers."""

from __future__ import annotations

__all__ = ["SETS"]

# Abbreviation: name, instances, positives, negatives, features, percent of positives.
SETS = {
    "prom": ("promoters", 106, 53, 53, 57, 50),
    "echo": ("echocardiogram", 132, 43, 88, 7, 33),
    "hepa": ("hepatitis", 155, 32, 123, 19, 21),
    "prks": ("parkinsons", 195, 147, 48, 22, 75),
    "hart": ("statlog heart", 270, 120, 150, 13, 44),
    "hrth": ("heart disease hungarian", 294, 188, 106, 13, 64),
    "hors": ("horse-colic reduced", 296, 188, 108, 21, 64),
    "habr": ("haberman", 306, 81, 225, 3, 26),
    "iono": ("ionosphere", 351, 225, 126, 34, 64),
    "vots": ("house-votes-84", 435, 168, 267, 16, 39),
    "jcrx": ("japanese crx", 690, 307, 383, 15, 44),
    "aust": ("statlog australian", 690, 307, 383, 14, 44),
    "wisc": ("breast cancer wisc", 699, 241, 458, 9, 34),
    "blod": ("blood transfusions", 748, 178, 570, 4, 24),
    "diab": ("pima-indians-diabetes", 768, 268, 500, 8, 35),
    "mamo": ("mammographic masses", 945, 434, 511, 5, 46),
    "tic": ("tic-tac-toe", 958, 626, 332, 9, 65),
    "ger": ("statlog german", 1000, 700, 300, 20, 70),
    "oz8h": ("ozone eighthr", 2534, 160, 2374, 72, 6),
    "oz1h": ("ozone onehr", 2536, 73, 2463, 72, 3),
    "chss": ("chess kr-vs-kp", 3196, 1669, 1527, 36, 52),
    "ads": ("internet ad", 3279, 459, 2820, 1558, 14),
    "spam": ("spambase", 4601, 1813, 2788, 57, 39),
    "mush": ("mushroom", 8124, 3916, 4208, 23, 48),
    "mgic": ("magic04", 19020, 12332, 6688, 10, 65),
    "adlt": ("census adult", 32562, 7841, 24720, 14, 24),
}
