"""Programs that measured what docs/evidence says; ``python -m benchmarks`` lists them."""
