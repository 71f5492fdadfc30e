"""The literature re-run: one folder a paper, printed results beside ours."""
