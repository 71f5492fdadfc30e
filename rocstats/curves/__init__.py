"""Curves whose areas are the measures: ROC, sROC and smROC."""
