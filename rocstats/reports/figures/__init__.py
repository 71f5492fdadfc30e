"""Figures: the drawings of a report as inline SVG, from facts alone."""
