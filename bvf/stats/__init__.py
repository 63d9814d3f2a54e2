"""The mathematics: functions from arrays to arrays."""
