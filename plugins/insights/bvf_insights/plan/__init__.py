"""Plans a run: how many contexts are needed?"""
