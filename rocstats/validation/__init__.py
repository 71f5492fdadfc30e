"""What this installation computes, beside what R and frozen numbers say."""
