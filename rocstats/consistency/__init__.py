"""Measures compared as Huang & Ling (2005) do: do two measures agree, and which decides more?"""
