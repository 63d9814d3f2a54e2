"""Finds the picture that ``bvf plot --kind`` names, and makes a function that draws it for each kind."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from bvf import BvfError, CaptionedPicture, Picture, PictureKind, PlotRequest, ReportedFile, ResultBase, load
from bvf.errors import nearest
from bvf.results import analysis_of, comparable_choices, read_reported, refuse_mixed, reported_in
from bvf_report.pictures import OF_ONE, OF_SEVERAL

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
    "number": "Index of one of its regressions, from 0.",
    "columns": "Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).",
}
"""What the parameters of our kinds mean. A kind with other parameters explains them in the docstring of its class."""


@cache
def installed_kinds() -> dict[str, PictureKind]:
    """Return the installed kinds of pictures, by name."""
    made = list(load().pictures.made())
    return {entry.provider.name: kind for entry, kind in reversed(made)}


def figure(name: str) -> Callable[..., Any]:
    """Return a function that draws one kind of picture and returns its axes, with the parameters of its ``of``."""
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
        shown, axes, width = given.pop(first.name), given.pop("ax", None), given.pop("columns", wide)
        try:
            picture = kind.of(shown, **given)
        except AttributeError as error:
            if error.obj is not shown:
                raise
            hint = f"it takes this: {PARAMETERS.get(first.name, first.name)}"
            raise BvfError(f"bvf.plot.{name} cannot draw a {type(shown).__name__}", hint) from error
        return picture.draw(axes, width)

    shown = inspect.getdoc(type(kind)) or kind.picture.title
    known = [f"    {each}: {PARAMETERS[each]}" for each in signature.parameters if each in PARAMETERS]
    refused = "Raises:\n    BvfError: There is no such picture of it, or matplotlib or a font is not installed."
    draw.__doc__ = "\n".join([f"Draw {shown[0].lower()}{shown[1:]}", "", "Args:", *known, "", refused])
    draw.__name__, draw.__qualname__, draw.__module__ = name, name, "bvf.plot"
    draw.__signature__ = signature  # type: ignore[attr-defined]
    return draw


def kind_of(
    name: str, request: PlotRequest, options: Mapping[str, Any] | None = None
) -> Callable[[], CaptionedPicture]:
    """Return a function that makes the picture of a kind, found by its name. ``options`` are those of the kind alone.

    It is a kind that a package offers, one of a plugin's files, or one of the analysis that made the results.

    Raises:
        BvfError: There is no such kind, a file of a plugin has no picture of it, or the analysis makes several
            pictures of this kind for these results.
    """
    plugins = request.plugins
    if name in plugins.pictures.names():
        kind = plugins.pictures.make(name, options)
        for source in () if kind.of_files else request.sources:
            if (file := reported_in(source, plugins)) is not None:
                raise _not_drawn(source, read_reported(file, plugins), name)
        return lambda: kind.of_runs(request)
    kinds = [cast("type[ReportedFile]", entry.callable()) for entry in plugins.files]  # classes, as the hook says
    of_files = {each.kind: each for kind in kinds for each in kind.pictures if each.kind}
    if name in of_files:
        return lambda: _of_file(of_files[name], request)
    results, of_analysis = _pictures_of_analysis(name, request)
    named = [picture for picture in of_analysis if picture.kind == name]
    if not named:
        known = [*plugins.pictures.names(), *of_files, *(picture.kind for picture in of_analysis if picture.kind)]
        raise BvfError(f'--kind "{name}": there is no such figure', nearest(name, list(dict.fromkeys(known))))
    if len(named) > 1:
        raise BvfError(f'--kind "{name}": there are {len(named)} such figures of these runs', "draw them one by one")
    return lambda: request.captioned(named[0].with_ends(request.show), results)


def kinds_of(request: PlotRequest) -> list[str]:
    """Return the kinds of pictures of runs, or of a file of a plugin. The first shows what they are about."""
    files = [file for source in request.sources if (file := reported_in(source, request.plugins))]
    if files:
        return [each.kind for each in read_reported(files[0], request.plugins).pictures if each.kind] or [""]
    results = request.results()
    analysis, one = analysis_of(results[0], request.plugins), len(results) == 1
    own = [*(analysis.pictures(results) if one else ()), *analysis.pictures_of_topics(results)]
    return list(dict.fromkeys(each.kind for each in own if each.kind)) or (OF_ONE if one else OF_SEVERAL).split(", ")


def _of_file(of: type[Picture], request: PlotRequest) -> CaptionedPicture:
    if len(request.sources) > 1:
        raise BvfError(f"{len(request.sources)} files, and this figure shows one", "draw them one by one")
    (source,), plugins = request.sources, request.plugins
    file = read_reported(reported_in(source, plugins) or source, plugins)
    if of not in file.pictures:
        raise _not_drawn(source, file, of.kind)
    return CaptionedPicture(file.picture(of, show=request.show, factors=request.factors))


def _not_drawn(source: Path, file: ReportedFile, kind: str) -> BvfError:
    kinds = [each.kind for each in file.pictures if each.kind]
    message = f"{source}: --kind {kind} is not drawn from this kind of file ({file.what})"
    return BvfError(message, nearest(kind, kinds))


def _pictures_of_analysis(name: str, request: PlotRequest) -> tuple[list[ResultBase], Sequence[Picture]]:
    """The results, and the pictures that their analysis makes of them. Both are empty for a file of a plugin.

    Results of several topics are refused, unless ``name`` is that of a picture of several topics.
    """
    if any(reported_in(source, request.plugins) is not None for source in request.sources):
        return [], ()
    results = request.results()
    analysis = analysis_of(results[0], request.plugins)
    refuse_mixed(results, "draw them one by one", comparable_choices)
    of_topics = analysis.pictures_of_topics(results)
    if any(picture.kind == name for picture in of_topics):
        return results, of_topics
    refuse_mixed(results, "draw them one by one")
    return results, [*of_topics, *analysis.pictures(results)]
