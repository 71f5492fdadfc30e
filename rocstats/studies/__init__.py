"""Power studies on data of known truth, and models chosen by several criteria."""
