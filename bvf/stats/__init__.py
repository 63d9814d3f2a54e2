"""The mathematics of the framework and its statistics: functions from numpy arrays to numpy arrays."""
