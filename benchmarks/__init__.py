"""Speed beside other packages: each in a process of its own, in turns, and right before fast."""
