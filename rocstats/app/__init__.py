"""The same on a page of one's own machine: a file in, a report out, nothing leaves."""
