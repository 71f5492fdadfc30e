"""Wu & Flach (2005), run again."""
