"""Files as people keep them: found, repaired in the open, and asked about where two ways fit."""
