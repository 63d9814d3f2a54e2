"""The mathematics of this package: arrays in, arrays out."""
