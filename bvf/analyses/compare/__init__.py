"""Do models differ in the same groups and contexts?"""
