"""One measure of one marker, with its standard error and intervals."""
