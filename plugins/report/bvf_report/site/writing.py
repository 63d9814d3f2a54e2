"""Writes a site to a folder. Pages of an earlier site in it are replaced, or removed where nothing replaces them."""

from collections.abc import Sequence
from functools import reduce
from pathlib import Path

from bvf import AnalysisConfig, BvfError
from bvf.files import Folder, FolderKind, check_folder, disk_errors_explained, marked, processors
from bvf.hooks import Plugins
from bvf.tables import frame_as_csv
from bvf_report.export.eval_results import refuse_no_dataset
from bvf_report.page.html import GENERATOR, html_of
from bvf_report.site.boards import boards_of
from bvf_report.site.pages import comparison_page, index_page
from bvf_report.site.reading import PLACES, Reading, gathered
from bvf_report.site.result import Leaderboard

INDEX, LARGEST = "index.html", 1_000_000_000
OPTION = "--site"
PAGES = FolderKind({r".*\.html": LARGEST})
RECORDS = {Path(place).name: FolderKind({rf"[0-9a-f]{{16}}\{end}": LARGEST}) for place, end in PLACES.values()}
DATA = FolderKind({r"leaderboard\.(csv|json)": LARGEST}, RECORDS)
SITE = FolderKind({INDEX: LARGEST}, {"runs": PAGES, "compare": PAGES, "data": DATA})
"""What stands in a site. It may hold other files, which are left alone."""
is_page = marked(GENERATOR)


def check_site(folder: Path, sources: Sequence[Path], *, force: bool) -> None:
    """Raise `BvfError` if no site can be written to a folder: it has other files, or runs of the site lie in it."""
    is_ours = _is_page(Folder(folder, SITE), INDEX)
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
    site = Folder(folder, SITE)
    work = Reading(config, light, dataset, plugins.extra, plugins)
    groups, left_out = gathered(sources, work, processors() if processes is None else processes)
    leaderboard, comparisons = boards_of(groups, left_out, plugins)
    written = {INDEX}
    for group in groups:
        for entry in group:
            texts = {entry.page: entry.html, **{entry.places[kind]: text for kind, text in entry.records.items()}}
            for name, text in texts.items():
                _write(site, name, text)
            written |= texts.keys()
    for board, comparison in zip(leaderboard.boards, comparisons, strict=True):
        if comparison is not None:
            _write(site, board.page, html_of(comparison_page(board, comparison), light=light))
            written.add(board.page)
    _write(site, "data/leaderboard.csv", frame_as_csv(leaderboard.to_frame()))
    _write(site, "data/leaderboard.json", f"{leaderboard.model_dump_json(by_alias=True, indent=1)}\n")
    _write(site, INDEX, html_of(index_page(leaderboard, groups, plugins), light=light))
    for place in (*(site.sub(name) for name in ("runs", "compare")), *site.sub("data").folders()):
        for name in place.names():
            if "/".join((*place.within, name)) not in written and (place.kind is not PAGES or _is_page(place, name)):
                place.delete(name)
    return leaderboard


def _write(site: Folder, place: str, text: str) -> None:
    *within, name = place.split("/")
    with disk_errors_explained(f"{OPTION} {site.root / place}", f"choose another {OPTION}"):
        reduce(Folder.sub, within, site).write(name, text)


def _is_page(folder: Folder, name: str) -> bool:
    """Whether bvf wrote a page, which may not be there."""
    return folder.check(name) and is_page(folder.path_of(name))
