"""What these tests share with those of bvf: the toy model, the command line in this process, and ../shared."""

from conftest import command, shared, toy

__all__ = ["command", "shared", "toy"]
