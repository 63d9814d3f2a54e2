"""Do figures and ranks of models depend on the context set?"""
