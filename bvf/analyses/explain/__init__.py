"""Where do R, R^b and R^v come from: groups, contexts, properties of contexts?"""
