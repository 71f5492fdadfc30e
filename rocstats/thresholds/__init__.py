"""Operating points, cutpoints and rates at a fixed rate, with their intervals."""
