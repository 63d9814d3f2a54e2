"""Functions that draw one kind of picture each, made from the kinds that packages offer."""

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

from bvf import PictureKind, load

PARAMETERS = {
    "result": "A result of `bvf.run`, `bvf.analyse` or `bvf.read_result`.",
    "results": "One such result, or several of the same criterion and scale.",
    "compared": "The result of the comparison, such as that of `bvf.compare`.",
    "explanation": "The result of `bvf.explain`.",
    "regressions": "The result of `bvf.regress`.",
    "ax": "Axes to draw on; None: those of a new figure.",
    "rank": "Order of groups: ``lean``, ``risk``, ``bias``, ``volatility`` or ``particular``; None: ``lean``.",
    "group": "Name of the group; empty: the one with the largest r^v.",
    "groups": "Names of groups in the order of the rows; None: see ``show``.",
    "show": "Number of rows: half of them the first, half the last in their order; 0: all.",
    "by": "The label, or ``parameters``; empty: the label by which runs were compared.",
    "topic": "The name of one of its topics; empty: there is only one.",
    "score": "Name of the score; empty: the first of those that most groups have.",
    "number": "Index of one of its regressions, from 0.",
    "columns": "Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).",
}
"""What the parameters of our kinds mean. A kind with other parameters explains them in the docstring of its class."""


@cache
def installed_kinds() -> dict[str, PictureKind]:
    """Return the installed kinds of pictures, by name."""
    offered = load().pictures
    return {name: offered.make(name) for name in offered.names()}


def figure(name: str) -> Callable[..., Any]:
    """Return a function that draws one kind of picture and returns its axes, with the parameters of `PictureKind.of`.

    Raises:
        AttributeError: There is no such kind.
    """
    if name not in installed_kinds():
        raise AttributeError(f"module 'bvf.plot' has no attribute {name!r}")
    return _function_of(name, installed_kinds()[name])


def _function_of(name: str, kind: PictureKind) -> Callable[..., Any]:
    first, *options = inspect.signature(kind.of).parameters.values()
    keyword, wide = inspect.Parameter.KEYWORD_ONLY, kind.picture.wide
    ax = inspect.Parameter("ax", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation="Axes | None")
    columns = inspect.Parameter("columns", keyword, default=wide, annotation="Columns")
    signature = inspect.Signature([first, ax, *options, columns], return_annotation="Axes")

    def draw(*arguments: Any, **choices: Any) -> Any:
        given = signature.bind(*arguments, **choices).arguments
        axes, width = given.pop("ax", None), given.pop("columns", wide)
        return kind.of(given.pop(first.name), **given).draw(axes, width)

    shown = inspect.getdoc(type(kind)) or kind.picture.title
    known = [f"    {each}: {PARAMETERS[each]}" for each in signature.parameters if each in PARAMETERS]
    refused = "Raises:\n    BvfError: There is no such picture of it, or matplotlib or a font is not installed."
    draw.__doc__ = "\n".join([f"Draw {shown[0].lower()}{shown[1:]}", "", "Args:", *known, "", refused])
    draw.__name__, draw.__qualname__, draw.__module__ = name, name, "bvf.plot"
    draw.__signature__ = signature  # type: ignore[attr-defined]
    return draw
