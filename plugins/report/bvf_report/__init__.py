"""What is made of results: pages and sites, pictures, and exports for papers, spreadsheets and data sets."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bvf import Provider, hookimpl

if TYPE_CHECKING:
    from bvf import PictureKind
    from bvf.results import PageParts

BVF_API = 1


@hookimpl
def bvf_commands() -> list[Provider[Any]]:
    home = "bvf_report.commands"
    return [
        Provider(
            "export",
            f"{home}:export",
            "Write what runs found as a table for a paper or a spreadsheet, a record, or a data set.",
            example="bvf export runs/NAME runs/OTHER --to latex -o table.tex",
            common="--to --out --table --organization --dataset --criterion --groups --words --level --plugin --force",
        ),
        Provider(
            "report",
            f"{home}:report",
            "Write one HTML file of finished runs: verdict, figures, tables, limits, provenance. It needs no network.",
            example="bvf report runs/NAME runs/OTHER -o report.html",
            common="--out --site --light --scenario --gate --by --against --criterion --groups --words "
            "--plugin --force",
        ),
        Provider(
            "plot",
            f"{home}:plot",
            "Draw a figure for a paper, and print its caption. No model is loaded.",
            example="bvf plot runs/NAME --kind lean -o lean.pdf",
            common="--kind --out --columns --show --by --factor --against --criterion --groups --words "
            "--plugin --force",
        ),
    ]


@hookimpl
def bvf_functions() -> list[Provider[Callable[..., Any]]]:
    return [
        Provider("report", "bvf_report.report:report", "a page of finished runs, or a site of many"),
        Provider("plot", "bvf_report:plot", "figures of results; each function draws one kind"),
        Provider("export", "bvf_report:export", "results as tables, records and data sets"),
    ]


@hookimpl
def bvf_page_parts() -> "list[Provider[PageParts]]":
    home = "bvf_report.page.rooms"
    return [
        Provider("risk", f"{home}:RiskParts", "the figures of risk, and how groups lean"),
        Provider("words", f"{home}:WordParts", "what each word does"),
        Provider("controls", f"{home}:ControlParts", "the controls of a run"),
        Provider("comparison", f"{home}:ComparisonParts", "models compared"),
    ]


@hookimpl
def bvf_pictures() -> "list[Provider[PictureKind]]":
    kinds = ("lean", "heatmap", "distribution", "scatter", "curve", "density", "scale", "controls", "words")
    compared = ("trend", "compare", "said")
    return [Provider(name, f"bvf_report.pictures.kinds:{name.title()}Kind") for name in (*kinds, *compared)]
