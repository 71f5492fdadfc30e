"""Pages, figures and files made of facts: they state, they do not compute."""
