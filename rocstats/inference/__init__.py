"""Markers tested against each other, against a margin, and all at once."""
