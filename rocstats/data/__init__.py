"""Files and frames become a validated sample, sorted once a marker."""
