"""Binary tests on the same patients: rates, predictive values and likelihood ratios, paired."""
