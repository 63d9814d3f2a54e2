"""How far is the model from p*, on average and between contexts?"""
