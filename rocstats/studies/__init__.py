"""Studies: what tests do on data whose truth is known."""
