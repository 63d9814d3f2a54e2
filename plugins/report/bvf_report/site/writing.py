"""Writes a site to a folder. Pages of an earlier site in it are replaced, or removed where nothing replaces them."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bvf import AnalysisConfig, BvfError
from bvf.files import Output, check_folder, marked, processors
from bvf.hooks import Plugins
from bvf.tables import frame_as_csv
from bvf_report.export.eval_results import refuse_no_dataset
from bvf_report.page.html import GENERATOR, html_of
from bvf_report.site.boards import boards_of
from bvf_report.site.pages import comparison_page, index_page
from bvf_report.site.reading import Reading, gathered, stored_records
from bvf_report.site.result import Leaderboard

INDEX = "index.html"
OPTION = "--site"
FOLDERS = ("runs", "compare")
is_page = marked(GENERATOR)


def check_site(folder: Path, sources: Sequence[Path], *, force: bool) -> None:
    """Raise `BvfError` if no site can be written to a folder: it has other files, or runs of the site lie in it."""
    index = folder / INDEX
    is_ours = index.is_file() and is_page(index)
    check_folder(OPTION, folder, force=force or is_ours)
    whole = folder.resolve()
    if inside := next((source for source in sources if source.resolve().is_relative_to(whole)), None):
        raise BvfError(f"{OPTION} {folder}: {inside} lies in it", f"choose another {OPTION}")


def write_site(  # noqa: PLR0913 - each is a choice of its own
    folder: Path,
    sources: Sequence[Path],
    config: AnalysisConfig,
    plugins: Plugins,
    *,
    light: bool = False,
    dataset: str = "",
    force: bool = False,
    processes: int | None = None,
) -> Leaderboard:
    """Write a site of the runs in folders, or below them, and return its tables.

    ``light``: pages have no script. ``dataset``: the benchmark on the hub whose entries are written, as
    ORGANIZATION/NAME; empty: none. ``force``: the folder may hold other files. At most so many ``processes`` read runs
    at once; None: one per processor.

    Raises:
        BvfError: No run can be shown, a model occurs twice, runs of the site lie in the folder, or it holds other files
            or cannot be written.
    """
    if dataset:
        refuse_no_dataset(dataset)
    check_site(folder, sources, force=force)
    work = Reading(config, light, dataset, plugins.extra, plugins)
    groups, left_out = gathered(sources, work, processors() if processes is None else processes)
    leaderboard, comparisons = boards_of(groups, left_out, plugins)
    written = {INDEX}
    for group in groups:
        for entry in group:
            texts = {entry.page: entry.html, **{entry.places[kind]: text for kind, text in entry.records.items()}}
            for name, text in texts.items():
                _write(folder, name, text)
            written |= texts.keys()
    for board, comparison in zip(leaderboard.boards, comparisons, strict=True):
        if comparison is not None:
            _write(folder, board.page, html_of(comparison_page(board, comparison), light=light))
            written.add(board.page)
    _write(folder, "data/leaderboard.csv", frame_as_csv(leaderboard.to_frame()))
    _write(folder, "data/leaderboard.json", f"{leaderboard.model_dump_json(by_alias=True, indent=1)}\n")
    _write(folder, INDEX, html_of(index_page(leaderboard, groups, plugins), light=light))
    for stale in (*_pages(folder), *stored_records(folder)):
        if str(stale.relative_to(folder)) not in written:
            stale.unlink()
    return leaderboard


def _write(folder: Path, name: str, text: str) -> None:
    Output(OPTION, folder / name).write(text, make_folder=True)


def _pages(folder: Path) -> Iterator[Path]:
    """The pages of runs and comparisons in a site that bvf wrote."""
    for name in FOLDERS:
        yield from (page for page in sorted((folder / name).glob("*.html")) if is_page(page))
