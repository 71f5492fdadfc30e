"""Sentences of the methods text: each says how something on the page was done, and cites it.

Every function reads the facts and yields sentences; what the facts do not hold is not said.
"""
