"""Tables larger than memory: rows are judged in batches, and markers become counts by score."""
