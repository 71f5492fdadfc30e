"""Report: pages made of results; they state, they do not compute."""
