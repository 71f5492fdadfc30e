"""Fawcett (2006), run again."""
