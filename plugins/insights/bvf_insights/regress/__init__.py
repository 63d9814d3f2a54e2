"""Regressions: does the risk of groups follow a statistic of society, such as wages?"""
