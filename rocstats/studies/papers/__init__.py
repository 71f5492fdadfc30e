"""The literature's experiments: one module a paper, printed results beside ours."""
