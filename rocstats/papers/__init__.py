"""The literature's experiments: a few modules a paper, printed results beside ours."""
