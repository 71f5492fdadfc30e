"""More than two classes: areas of pairs of classes, and their mean."""
