"""Checks figures of a run against limits: does the model keep them?"""
