"""Does the risk of a group follow a statistic of society?"""
