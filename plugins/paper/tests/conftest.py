"""Fixtures shared with the tests of bvf: in-process commands, and ../shared."""

from helpers.fixtures import command, shared

__all__ = ["command", "shared"]
