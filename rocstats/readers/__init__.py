"""Reader studies: several readers read many cases, and both are drawn at random."""
