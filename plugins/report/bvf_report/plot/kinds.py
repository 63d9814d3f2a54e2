"""Finds the picture that ``bvf plot --kind`` names: an installed kind, one of a plugin's files, or of an analysis."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bvf import BvfError, CaptionedPicture, Picture, PlotRequest, ReportedFile, ResultBase
from bvf.errors import nearest
from bvf.hooks import Entry
from bvf.results import analysis_of, comparable_choices, read_reported, refuse_mixed, reported_in


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
        if not kind.of_files:
            _refuse_files(name, request)
        return lambda: kind.of_runs(request)
    of_files = {each.kind: each for entry in plugins.files for each in _drawn_from(entry) if each.kind}
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


def _drawn_from(entry: Entry[ReportedFile]) -> Sequence[type[Picture]]:
    kind: type[ReportedFile] = entry.callable()  # type: ignore[assignment]  # the hook says that it is a class
    return kind.pictures


def _of_file(of: type[Picture], request: PlotRequest) -> CaptionedPicture:
    if len(request.sources) > 1:
        raise BvfError(f"{len(request.sources)} files, and this figure shows one", "draw them one by one")
    (source,), plugins = request.sources, request.plugins
    file = read_reported(reported_in(source, plugins) or source, plugins)
    if of not in file.pictures:
        raise _not_drawn(source, file, of.kind)
    return CaptionedPicture(file.picture(of, show=request.show, factors=request.factors))


def _refuse_files(name: str, request: PlotRequest) -> None:
    """Refuse files of plugins where the figure is one of runs."""
    for source in request.sources:
        file = reported_in(source, request.plugins)
        if file is not None:
            raise _not_drawn(source, read_reported(file, request.plugins), name)


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
