"""Do ways of asking agree? The same groups by runs, by benchmarks, and by statistics of the world."""
