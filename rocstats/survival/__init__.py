"""Outcomes with time: areas at a horizon and concordance under censoring."""
