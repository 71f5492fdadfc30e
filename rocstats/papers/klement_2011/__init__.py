"""Klement, Flach, Japkowicz & Matwin (2011), run again."""
