"""How many contexts are needed?"""
