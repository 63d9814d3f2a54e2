"""Do measures agree? Figures of runs beside scores of benchmarks, over models and over groups of people."""
