"""Which levels of factors make a model deviate, all other factors held constant."""
