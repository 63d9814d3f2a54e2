"""Does the model know the answer, and how firmly?"""
