"""Do models that were asked the same differ?"""
