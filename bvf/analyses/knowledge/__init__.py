"""Does the model know the answers, and how consistently?"""
