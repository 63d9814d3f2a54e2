"""Does the model keep its limits?"""
