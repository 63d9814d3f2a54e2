"""Fixtures shared with the tests of bvf: the toy model, in-process commands, and ../shared."""

from helpers.fixtures import command, shared, toy

__all__ = ["command", "shared", "toy"]
