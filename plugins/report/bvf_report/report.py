"""Writes a page of finished runs, or a site of many."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from bvf import AnalysisConfig, BvfError, load
from bvf.domain import settings_of
from bvf.files import Output
from bvf.hooks import Plugins
from bvf.results import read_gate
from bvf.study import AnalysisKeywords
from bvf_report.page.build import page_of
from bvf_report.page.html import html_of
from bvf_report.page.provenance import read_scenario
from bvf_report.site import INDEX, is_page, write_site


def report(  # noqa: PLR0913 - each is a choice of its own
    sources: PathLike[str] | str | Sequence[PathLike[str] | str],
    out: Path | str = "report.html",
    config: AnalysisConfig | None = None,
    *,
    light: bool = False,
    scenario: Path | str | None = None,
    gate: Path | str | None = None,
    by: str = "",
    options: Mapping[str, Any] | None = None,
    site: Path | str | None = None,
    dataset: str = "",
    plugins: Plugins | None = None,
    force: bool = False,
    **choices: Unpack[AnalysisKeywords],
) -> Path:
    """Write one HTML file of finished runs, or a site of many, and return the path of the page or of the first page.

    No page needs a network. A site takes ``light``, ``dataset`` and the choices of the analysis alone.

    Args:
        sources: Folders of runs, or of folders with runs; files of plugins.
        out: The page, a ``.html``.
        config: Choices of the analysis, where they are not the runs' own; or give keywords instead.
        light: Pictures as drawings and no script: a tenth of the size, for mail and archives.
        scenario: A TOML file whose table ``[scenario]`` says what auditors ask for.
        gate: A TOML file with limits, as for `bvf.gate`: the page shows the decisions.
        by: A label of the runs, over which they are compared.
        options: Options of sections that packages add, by field, such as ``{"against": "wages"}``.
        site: Write a site to this folder in place of one page. Folders that do not verify are left out of it.
        dataset: For a site: the benchmark on the hub whose entries it gets, as ORGANIZATION/NAME.
        plugins: What is installed; looked up if None.
        force: Replace an existing file, whatever wrote it.
        choices: Fields of `bvf.AnalysisConfig`.

    Raises:
        BvfError: A folder holds no finished run, the file must not be written, or an option fits none of the runs.
    """
    read = [Path(each) for each in ([sources] if isinstance(sources, str | PathLike) else sources)]
    chosen = settings_of(AnalysisConfig, config, choices, "report")
    if site is not None:
        write_site(Path(site), read, chosen, plugins or load(), dataset=dataset, light=light, force=force)
        return Path(site) / INDEX
    page_file = Output("out", Path(out), is_page)
    page_file.check([(f"{each}, which is read", each) for each in read], force=force)
    of_page: dict[str, Any] = {"scenario": scenario, "gate": gate, "by": by, "options": options or {}, "light": light}
    write_page(page_file, read, plugins or load(), chosen, **of_page)
    return Path(out)


def write_page(  # noqa: PLR0913 - each is a choice of its own
    page_file: Output,
    sources: Sequence[Path],
    plugins: Plugins,
    config: AnalysisConfig,
    *,
    scenario: Path | str | None,
    gate: Path | str | None,
    by: str,
    options: Mapping[str, Any],
    light: bool,
) -> int:
    """Write a page to a file that was checked, and return its size in bytes. Arguments are those of `report`."""
    if page_file.file.suffix not in (".html", ".htm"):
        proposed = page_file.file.with_suffix(".html") if page_file.file.name else "report.html"
        raise BvfError(f"{page_file.named}: a page is a .html", f"{page_file.option} {proposed}")
    limits = None if gate is None else read_gate(Path(gate))
    stated = None if scenario is None else read_scenario(Path(scenario))
    page = page_of(sources, plugins, config=config, scenario=stated, limits=limits, by=by, options=options)
    text = html_of(page, light=light)
    page_file.write(text)
    return len(text.encode())
