"""Huang & Ling (2005), run again."""
