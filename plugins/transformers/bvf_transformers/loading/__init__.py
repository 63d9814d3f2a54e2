"""From a name or folder to a model in memory: finds its files, checks that they are safe and consistent, loads them."""
