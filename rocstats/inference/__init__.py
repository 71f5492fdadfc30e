"""Tests of contrasts: classifiers against each other and against a margin."""
