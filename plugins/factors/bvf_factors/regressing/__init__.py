"""Which levels of factors make a model deviate, with all other factors held constant."""
