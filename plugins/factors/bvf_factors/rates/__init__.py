"""For which subgroups a model deviates more, how far their rates are spread, and whether two models differ."""
