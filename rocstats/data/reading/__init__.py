"""Reading tables: one module a family of formats."""
