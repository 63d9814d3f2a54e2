"""Do models keep their order in other sets of contexts?"""
