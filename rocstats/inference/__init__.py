"""Tests of contrasts: classifiers against each other, against a margin, on the same subjects or not."""
