"""Tables for papers and pages, in LaTeX with booktabs and in Markdown: the main figures and their intervals."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from bvf import BvfError, GroupResult, Interval, ResultBase, Section
from bvf.domain import WORDINGS, assignments
from bvf.errors import in_one_line
from bvf.interfaces import Cell, Quantity
from bvf.results import PLACES, names_of, not_of_the_run, once_or_named
from bvf.tables import as_markdown, between, decimals, percent, undirected
from bvf_report.export.names import control_sentences, warning_sentences, without_folder, without_folders
from bvf_report.export.runs import check_together, group_figures, model_figures
from bvf_report.export.wide_tables import OF_CONTROLS, PUBLISHED, Table, check_table, studies_of

NAMING = (
    *("contexts", "wording", "system", "user", "chat_variables", "chat_date", "word_boundary", "tolerance"),
    *("number_of_contexts", "revision", "model_path", "measurement"),
)
"""Fields that may distinguish runs of one model, in the order in which they are tried."""
SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\char34{}",
        "`": r"\char96{}",
        **{character: f"\\{character}" for character in "#$%&_{}"},
        **{character: f"{{{character}}}" for character in "[]*"},
    }
)
"""Replacements for characters that TeX interprets or draws differently; it interprets [ and * at the start of a row."""
EXPONENT = re.compile(r"\b([Rr])\\textasciicircum\{\}([bv])\b")
MINUS = re.compile(r"(?<![\w-])-(?=\d)")
ZERO = re.compile(r"(?<!\d)0(?=\.\d)")
"""The zero before a decimal point, which numbers in papers go without."""
NARROW = r"\footnotesize\setlength{\tabcolsep}{3pt}"
"""Makes figures with intervals fit the text of an article."""
CENTRED = r"\setlength{\LTleft}{0pt plus 1fill minus 1fill}\setlength{\LTright}{\LTleft}"
"""Makes a table that is still too wide extend into both margins equally."""


def latex_text(results: Sequence[ResultBase], table: Table = "models") -> str:
    r"""Return a table in LaTeX for ``\usepackage{booktabs}``. The table of groups also needs ``longtable``.

    A cell is ``.396 {\scriptsize(.367 to .436)}``. Names are escaped; those that are not ASCII stay as they are, and
    need an engine and a font that have them.
    """
    section = paper_table(results, table)
    label = "-".join(re.findall("[A-Za-z0-9]+", f"bvf {results[0].topic} {table}"))
    if table == "groups":
        return as_long_latex(section, label, apart=list(section.columns).index("group"))
    return as_latex(section, label)


def markdown_text(results: Sequence[ResultBase], table: Table = "models") -> str:
    """Return a table in Markdown: a title, rows that show intervals in the cells, and notes. Names are escaped."""
    return as_markdown([paper_table(results, table)], captions=True)


def paper_table(results: Sequence[ResultBase], table: Table) -> Section:
    """Return one table of results: of models, of all groups of all models, or of all controls."""
    check_together(results)
    check_table(table)
    if table == "figures":
        raise BvfError("--table figures is for --to csv", "--table models has the same figures, a column each")
    made = {"models": _models, "groups": _groups, "controls": _controls}[table](results)
    named = list(zip(map(without_folders, names_of(results)), results, strict=True))
    texts = once_or_named((name, f"{result.texts.in_full}.") for name, result in named if result.texts)
    intervals = once_or_named((name, f"{of_intervals(result)}.") for name, result in named)
    of_classes = [f"p: {GroupResult.OF_CLASSES}."] if table == "groups" and _of_classes(results) else []
    doubts = [*warning_sentences(results), *(control_sentences(results) if table == "controls" else [])]
    return replace(made, notes=[*not_of_the_run(results), *of_classes, *texts, *intervals, *doubts])


def naming_fields(results: Sequence[ResultBase]) -> tuple[str, ...]:
    """Return the fields that name a result: the model, a wording that is not bare, and what tells runs apart."""
    chosen = ["model"]
    if any(result.wording != "bare" for result in results):
        chosen.append("wording")
    if len({result.contexts_in_words for result in results}) > 1:
        chosen.append("number_of_contexts")
    for field in (name for name in NAMING if name not in chosen):
        if len({_name(result, chosen) for result in results}) == len(results):
            break
        if len({str(getattr(result, field)) for result in results}) > 1:
            chosen.append(field)
    return tuple(chosen)


def of_intervals(result: ResultBase) -> str:
    """Return a text on the population and the level of intervals, or on why there are none."""
    uncertainty = result.uncertainty
    if not uncertainty.intervals:
        return f"No intervals: {uncertainty.undefined or 'the analysis gives none'}"
    intervals = f"Intervals of {percent(uncertainty.level)} for {uncertainty.population}"
    if uncertainty.as_if and uncertainty.units is not None:
        return f"{intervals}; these are worth {uncertainty.units:.1f}"
    if uncertainty.occurrences is None:
        return intervals
    return f"{intervals}: {uncertainty.drawn_from}, by {uncertainty.unit}"


def _models(results: Sequence[ResultBase]) -> Section:
    names, figures = naming_fields(results), model_figures(results)
    rows: list[list[str | Cell]] = [
        [*_name(result, names), *_cells(result, figures, result.uncertainty.intervals)] for result in results
    ]
    return _section(results, list(map(_title, names)), (), figures, rows)


def _groups(results: Sequence[ResultBase]) -> Section:
    names, figures = naming_fields(results) if len(results) > 1 else (), group_figures(results)
    glossed = any(group.gloss for result in results for group in result.groups)
    described_by, of_classes = results[0].groups[0].described_by, _of_classes(results)
    rows: list[list[str | Cell]] = [
        [
            *_name(result, names),
            group.group,
            *([group.gloss] if glossed else []),
            *_description(group),
            *(_cell(group.mean_probabilities[name]) for name in of_classes),
            *_cells(group, figures, group.intervals),
        ]
        for result in results
        for group in result.groups
    ]
    naming = [*map(_title, names), "group", *(["meaning"] if glossed else []), *(described_by or ("on average",))]
    return _section(results, naming, tuple(of_classes.values()), figures, rows)


def _controls(results: Sequence[ResultBase]) -> Section:
    studies = studies_of(results)
    names = naming_fields(studies) if len(studies) > 1 else ()
    rows: list[list[str | Cell]] = []
    for study in studies:
        of_controls = [
            {name: Interval(low=low, high=high) for name, (low, high) in control.intervals.items()}
            for control in study.controls
        ]
        of_study = study.uncertainty.intervals
        figures = [
            _cell(study.apart, of_controls[0].get("apart_in_topic"))
            if each.field == "apart"
            else _cell(getattr(study, each.field, None), of_study.get(each.field))
            for each in OF_CONTROLS
        ]
        rows.append([*_name(study, names), study.topic, *figures])
        for control, intervals in zip(study.controls, of_controls, strict=True):
            rows.append([*_name(study, names), control.topic, *_cells(control, OF_CONTROLS, intervals)])
    return _section(results, [*map(_title, names), "topic"], (), OF_CONTROLS, rows)


def _section(
    results: Sequence[ResultBase],
    naming: Sequence[str],
    of_classes: Sequence[str],
    figures: Sequence[Quantity],
    rows: Sequence[Sequence[str | Cell]],
) -> Section:
    """A table with columns that name a row, columns of classes, and columns of figures."""
    columns = [*naming, *of_classes, *(figure.symbol for figure in figures)]
    return Section(_method(results[0]), columns, rows, names=len(naming), quantities=figures)


def _of_classes(results: Sequence[ResultBase]) -> dict[str, str]:
    """The titles of columns of mean probabilities, by class; empty for fewer than three classes."""
    group = results[0].groups[0]
    return {} if group.described_by else group.class_titles


def _name(result: ResultBase, fields: Sequence[str]) -> tuple[str, ...]:
    texts = {
        "wording": WORDINGS[result.wording],
        "chat_variables": assignments(result.chat_variables),
        "number_of_contexts": result.contexts_in_words,
    }
    published = (PUBLISHED.get(field, without_folder)(str(getattr(result, field))) for field in fields)
    return tuple(texts.get(field, name) for field, name in zip(fields, published, strict=True))


def _title(field: str) -> str:
    return field.replace("_", " ")


def _cells(part: Any, figures: Sequence[Quantity], intervals: Mapping[str, Interval]) -> list[Cell]:
    def cell(field: str) -> Cell:
        low, high = getattr(part, "between", {}).get(field, (None, None))
        return (
            Cell(text) if (text := between(low, high, 2)) else _cell(getattr(part, field, None), intervals.get(field))
        )

    return [cell(figure.field) for figure in figures]


def _cell(value: float | None, interval: Interval | None = None) -> Cell:
    """A figure with three decimals, or a count, and its interval if any; empty if it is missing."""
    text = str(value) if isinstance(value, int) else decimals(value, places=PLACES)[0]
    return Cell(text, value, between(interval.low, interval.high, PLACES) if interval else "")


def _description(group: GroupResult) -> tuple[str, ...]:
    """The texts that describe a group: fields such as the true answer, or else its most probable class."""
    if group.described_by:
        return tuple(getattr(group, name) or "" for name in group.described_by)
    name, share = max(group.mean_probabilities.items(), key=lambda item: item[1])
    return (f"{name} {share:.0%}",)


def _method(result: ResultBase) -> str:
    """A text on the topic and on the choices of the analysis that differ from their defaults."""
    chosen = {"p*": result.reference, "group weights": result.group_weights}
    parts = (
        f"{result.topic} ({result.language})",
        f"by {result.margin}" if result.margin else "",
        f"criterion {result.criterion}",
        f"{result.scale} scale" if hasattr(result, "scale") else "",
        *(f"{name} {without_folder(value)}" for name, value in chosen.items() if value != "uniform"),
    )
    return ", ".join(filter(None, parts))


def as_latex(section: Section, label: str) -> str:
    r"""Return a table in LaTeX for ``\usepackage{booktabs}``. ``label`` is the name for references to it.

    Cells with a value are numbers such as ``.396 {\scriptsize(.367 to .436)}``. Names that are not ASCII stay as they
    are, and need an engine and a font that have them.
    """
    lines = (
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        rf"\centering{NARROW}",
        rf"\caption{{{escaped(section.title)}}}",
        rf"\label{{tab:{label}}}",
        rf"\begin{{tabular}}{{{_alignment(section)}}}",
        r"\toprule",
        _header(section),
        r"\midrule",
        *(_row(map(_latex_cell, row)) for row in (*section.above, *section.rows)),
        r"\bottomrule",
        r"\end{tabular}",
        "",
        _notes(section),
        r"\end{table}",
    )
    return "\n".join(lines) + "\n"


def as_long_latex(section: Section, label: str, apart: int = 0) -> str:
    r"""Return a table over several pages in LaTeX for ``\usepackage{booktabs,longtable}``.

    The cells of the first ``apart`` columns stand in a line of their own above the rows that have them: no page is wide
    enough for the name of a run in every row.
    """
    lines = (
        r"% \usepackage{booktabs,longtable}",
        rf"\begingroup{NARROW}{CENTRED}",
        rf"\begin{{longtable}}{{{_alignment(section, apart)}}}",
        rf"\caption{{{escaped(section.title)}}}\label{{tab:{label}}} \\",
        r"\toprule",
        _header(section, apart),
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        *_rows_apart(section, apart),
        r"\end{longtable}",
        "",
        _notes(section),
        r"\endgroup",
    )
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    r"""Return a text on one line that TeX prints as it is, with symbols such as R^b and minus signs as in formulas.

    >>> escaped("R&D_{1} 100%"), escaped("R^b: -1")
    ('R\\&D\\_\\{1\\} 100\\%', '$R^{b}$: $-$1')
    """
    shown = re.sub("-(?=-)", "-{}", undirected(in_one_line(text)).translate(SPECIAL))
    return MINUS.sub("$-$", EXPONENT.sub(r"$\1^{\2}$", shown))


def _rows_apart(section: Section, apart: int) -> Iterator[str]:
    for place, (named, rows) in enumerate(groupby(section.rows, key=lambda row: list(map(str, row[:apart])))):
        if place:
            yield r"\addlinespace"
        if named:
            width = len(section.columns) - apart
            yield rf"\multicolumn{{{width}}}{{l}}{{\itshape {escaped(', '.join(named))}}} \\*"
        yield from (_row(map(_latex_cell, row[apart:])) for row in rows)


def _alignment(section: Section, apart: int = 0) -> str:
    return "".join("l" if section.is_left(y) else "r" for y in range(apart, len(section.columns)))


def _header(section: Section, apart: int = 0) -> str:
    formulas = {each.symbol: each.formula for each in section.quantities}
    return _row(formulas.get(column) or escaped(column) for column in section.columns[apart:])


def _row(cells: Iterable[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _latex_cell(cell: str | Cell) -> str:
    if isinstance(cell, str):
        return escaped(cell)
    number = ZERO.sub("", escaped(cell.text))
    return rf"{number} {{\scriptsize({ZERO.sub('', escaped(cell.interval))})}}" if cell.interval else number


def _notes(section: Section) -> str:
    meanings = [f"{each.formula or escaped(each.symbol)}: {escaped(each.meaning)}." for each in section.explained]
    sentences = [escaped(each) for each in (*section.warnings, *section.subtitle, *section.notes)]
    ended = [each if each.endswith(".") else f"{each}." for each in sentences]
    return rf"\smallskip{{\footnotesize {' '.join([*meanings, *ended])}\par}}"
