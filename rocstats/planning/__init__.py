"""Power, sample size and precision of a study that is yet to be done."""
