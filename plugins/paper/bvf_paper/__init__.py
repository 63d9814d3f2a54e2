"""The tables that two papers print, as data, and the command ``bvf paper``, which shows runs beside them."""

from typing import Any

from bvf import Provider, hookimpl

BVF_API = 1


@hookimpl
def bvf_commands() -> list[Provider[Any]]:
    return [
        Provider("paper", "bvf_paper.command:paper", "The printed tables of the papers, and your runs beside them.")
    ]
