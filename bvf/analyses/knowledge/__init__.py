"""The analysis of knowledge: does the model know the answer, and how consistently?"""
