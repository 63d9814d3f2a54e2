"""Fixtures shared with the tests of bvf: in-process commands."""

from helpers.fixtures import command

__all__ = ["command"]
