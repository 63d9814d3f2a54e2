"""Figures for papers: pictures of results, drawn by matplotlib. Each function draws one kind and returns its axes.

The functions are those of the kinds that installed packages offer by the hook `bvf_pictures`; the stub beside this
module has their types.
"""

from typing import Any

from bvf_report.plot.kinds import figure, installed_kinds


def __getattr__(name: str) -> Any:
    return __dir__() if name == "__all__" else figure(name)


def __dir__() -> list[str]:
    return sorted(installed_kinds())
