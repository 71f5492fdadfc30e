"""Planning: power, sample size and precision of areas under the ROC curve."""
