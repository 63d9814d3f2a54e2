"""The page of one run in a site."""

from collections.abc import Mapping
from dataclasses import replace

from bvf.domain.measurement import Measurement
from bvf.hooks.loader import Plugins
from bvf.interfaces.picture import Picture
from bvf.results.page import Part
from bvf.results.result import ResultBase
from bvf_report.page.build import page_of_run
from bvf_report.page.content import Links, Page

HOME = Links((("All tables", "../index.html"),))
NO_PICTURES = "This page leaves out pictures: `bvf report` on the folder of this run draws them."


def run_page(result: ResultBase, measurement: Measurement, plugins: Plugins, places: Mapping[str, str]) -> Page:
    """Return the page of one run: what `bvf report` says of it, without pictures. ``places``: its records by format."""
    page = page_of_run(result, measurement, plugins)
    parts = [replace(part, blocks=tuple(b for b in part.blocks if not isinstance(b, Picture))) for part in page.parts]
    links = Links((*HOME.rows, *((f"This run as {kind}", f"../{place}") for kind, place in places.items())))
    kept = [part for part in parts if part.blocks]
    return Page(page.title, page.subtitle, (Part("site", "This site", (links, NO_PICTURES)), *kept))
