"""Learners of the papers: naive Bayes, C4.4 and C4.5 trees, logistic regression, SVM, MDLP."""
