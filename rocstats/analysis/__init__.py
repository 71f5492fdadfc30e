"""A diagnostic study, from its rows to the facts that a report states."""
