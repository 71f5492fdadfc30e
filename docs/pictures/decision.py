"""
Decision curve
==============

What acting on a model is worth, by the probability at which one would act.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

import rocstats as rs

X, y = load_breast_cancer(return_X_y=True)
train, test, y_train, y_test = train_test_split(X[:, [1, 4]], 1 - y, random_state=1)
model = LogisticRegression().fit(train, y_train)
rs.decision_curve(y_test, model.predict_proba(test)[:, 1]).plot()
