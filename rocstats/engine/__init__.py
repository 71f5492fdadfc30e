"""The engine: measures as values, and every subject's influence on them."""
