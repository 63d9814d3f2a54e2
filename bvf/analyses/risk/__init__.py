"""How far are predictions from p*, and how much of that is bias or volatility?"""
