"""The analysis of risk: how far is the model from p*, on average and in single contexts?"""
