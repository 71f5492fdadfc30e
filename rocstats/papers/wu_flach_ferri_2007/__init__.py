"""Wu, Flach & Ferri (2007), run again."""
