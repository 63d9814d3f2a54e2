"""Fixtures shared with the tests of bvf: in-process commands, and ../shared."""

from conftest import command, shared

__all__ = ["command", "shared"]
