"""A page on one's own machine: a file in, a report out, nothing leaves it."""
