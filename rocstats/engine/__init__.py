"""Measures as values, and every subject's influence on them."""
