"""``bvf factors``: what the factors of a benchmark cover, and in which subgroups a model deviates."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bvf.cli.console import note, print_json, progress_bar, stdout
from bvf.cli.options import flag, option, options_given
from bvf.cli.options import table as plugin_options
from bvf.errors import BvfError

if TYPE_CHECKING:
    from bvf.domain.factors import Declaration
    from bvf.factors.table import Table
    from bvf.interfaces.analysis import Section

Texts = list[str] | None
Text = str | None
NO_FIELDS_OF_RUN = ("benchmark", "data", "answers", "by", "wordings", "limit_items", "show", "json_", "quiet")
DATA_HELP = "Folder or file of its items, as published; a few written here if not said."
ANSWERS_HELP = "A file of answers that were published, in the place of a model."
BY_HELP = "What scores an answer: its log-probability, that per byte, or that of its letter."
WORDINGS_HELP = "A file with a wording per line: scores have a spread over them."
SOURCES_HELP = "Tables (CSV, TSV, JSON lines, Parquet), logs of other programs, folders of runs."
FACTORS_HELP = "What the factors and the outcome are: a TOML file, or the name of a benchmark."
ITEMS_HELP = "A table of items whose columns are added to the rows of their answers."
ON_HELP = "A column in which a row and its item agree. May be said several times."
FACTOR_HELP = "A factor to look at. May be said several times. [default: all]"
DROP_HELP = "Leave the rows out in which a factor has a level. May be said several times."
REFERENCE_HELP = "The level that the others of a factor are compared with. May be said several times."
MISSING_HELP = "Leave rows out in which a value is missing, and count them."
LEVEL_HELP = "Of intervals. [default: 0.95]"
SHOW_HELP = "Rows to show of a table. [default: 8]"
Sources = Annotated[list[Path], typer.Argument(metavar="TABLE...", help=SOURCES_HELP, show_default=False)]
Declared = Annotated[str, flag("--factors", help_text=FACTORS_HELP, panel="Table", metavar="FILE|NAME")]
Items = Annotated[Path | None, flag("--items", help_text=ITEMS_HELP, panel="Table", metavar="FILE")]
On = Annotated[Texts, flag("--on", help_text=ON_HELP, panel="Table", metavar="COLUMN")]
Drop = Annotated[Texts, flag("--drop", help_text=DROP_HELP, panel="Table", metavar="FACTOR=LEVEL")]
Reference = Annotated[Texts, flag("--reference", help_text=REFERENCE_HELP, panel="Table", metavar="FACTOR=LEVEL")]
DropMissing = Annotated[bool, flag("--drop-missing", help_text=MISSING_HELP, panel="Table")]
Plugin = Annotated[Texts, flag("--plugin", help_text="A plugin to load: a module or ./file.py.", panel="Table")]
Chosen = Annotated[Texts, flag("--factor", help_text=FACTOR_HELP, panel="Method", metavar="NAME")]
Level = Annotated[float, flag("--level", help_text=LEVEL_HELP, panel="Method", metavar="P")]
Order = Annotated[int, flag("--order", help_text="Factors that a subgroup is made of.", panel="Method", metavar="K")]
Fewest = Annotated[int, flag("--fewest", help_text="Prompts of a subgroup. [default: 10]", panel="Method", metavar="N")]
Target = Annotated[float, flag("--target", help_text="C, the rate that is wanted. [default: 0]", panel="Method")]
Seed = Annotated[int, flag("--seed", help_text="Of what is drawn. [default: 0]", panel="Method", metavar="N")]
Show = Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")]
AsJson = Annotated[bool, flag("--json", help_text="Print the result as JSON, and nothing else.")]
Out = Annotated[Path | None, flag("--out", "-o", help_text="Write all rows as a table.", metavar="FILE.csv")]

factors = typer.Typer(
    help="What the prompts of a benchmark cover, for whom a model deviates from what is desired, and why.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)


@factors.command("coverage", epilog="Example: bvf factors coverage answers.csv --factors factors.toml")
def coverage(  # noqa: PLR0913 - one parameter per option, as typer wants it
    tables: Sources,
    declared: Declared,
    factor: Chosen = None,
    empty: Annotated[bool, flag("--empty", help_text="List the combinations that have no prompt.")] = False,
    items: Items = None,
    on: On = None,
    drop: Drop = None,
    drop_missing: DropMissing = False,
    plugin: Plugin = None,
    out: Out = None,
    show: Show = "8",
    json_: AsJson = False,
) -> None:
    """Say how much of each factor, each pair of factors and all of them the prompts cover: CP and Gini."""
    from bvf.factors.covering import coverage as covering
    from bvf.factors.covering import empty_cells
    from bvf.factors.rows import coverage_sections, empty_section

    number = _number(show)
    table = _table(tables, declared, plugin, items, on, drop, None, drop_missing)
    found = covering(table, tuple(factor or ()))
    _write(found.to_frame(), out)
    sections = coverage_sections(_title(table, tables), found, number)
    if empty:
        chosen = tuple(table.factor(each.factors[0]) for each in found.single)
        sections = [empty_section(_title(table, tables), chosen, empty_cells(chosen), number)]
    _show(found.model_dump(mode="json"), sections, json_)


@factors.command("subgroups", epilog="Example: bvf factors subgroups answers.csv --factors factors.toml --order 2")
def subgroups(  # noqa: PLR0913 - one parameter per option, as typer wants it
    tables: Sources,
    declared: Declared,
    order: Order = 1,
    parent: Annotated[
        bool, flag("--parent", help_text="Compare within the same levels of all but the last factor.", panel="Method")
    ] = False,
    target: Target = 0.0,
    line: Annotated[
        float | None, flag("--line", help_text="Tell the share of rates above it, such as 0.2.", panel="Method")
    ] = None,
    fewest: Fewest = 10,
    level: Level = 0.95,
    seed: Seed = 0,
    items: Items = None,
    on: On = None,
    drop: Drop = None,
    drop_missing: DropMissing = False,
    plugin: Plugin = None,
    out: Out = None,
    show: Show = "8",
    json_: AsJson = False,
) -> None:
    """Say for which subgroups a model deviates more or less than for others, and how far their rates are spread."""
    from bvf.factors.rows import spread_section, subgroup_section
    from bvf.factors.spread import spread
    from bvf.factors.subgroups import subgroups as subgroups_of

    number = _number(show)
    table = _table(tables, declared, plugin, items, on, drop, None, drop_missing)
    found = subgroups_of(
        table, order, against="parent" if parent else "all", level=_level(level), fewest=_positive(fewest)
    )
    rates = spread(table, order, target=target, line=line, level=level, fewest=fewest, seed=seed)
    _write(found.to_frame(), out)
    first = subgroup_section(_title(table, tables), found, number, is_number=table.is_number)
    sections = [first, spread_section(rates)]
    _show({"subgroups": found.model_dump(mode="json"), "spread": rates.model_dump(mode="json")}, sections, json_)


@factors.command("importance", epilog="Example: bvf factors importance answers.csv --factors factors.toml")
def importance(  # noqa: PLR0913 - one parameter per option, as typer wants it
    tables: Sources,
    declared: Declared,
    factor: Chosen = None,
    interaction: Annotated[
        Texts, flag("--interaction", help_text="Two factors, as A:B.", panel="Method", metavar="A:B")
    ] = None,
    level: Level = 0.95,
    items: Items = None,
    on: On = None,
    drop: Drop = None,
    reference: Reference = None,
    drop_missing: DropMissing = False,
    plugin: Plugin = None,
    out: Out = None,
    show: Show = "8",
    json_: AsJson = False,
) -> None:
    """Say which levels make a model deviate, all other factors held: a regression with errors clustered by prompt."""
    from bvf.factors.importance import importance as importance_of
    from bvf.factors.rows import importance_sections

    number = _number(show)
    table = _table(tables, declared, plugin, items, on, drop, reference, drop_missing)
    pairs = tuple(_pair(text) for text in interaction or ())
    found = importance_of(table, factor or None, pairs, level=_level(level))
    _write(found.to_frame(), out)
    _show(found.model_dump(mode="json"), importance_sections(_title(table, tables), found, number), json_)


@factors.command("design", epilog="Example: bvf factors design answers.csv --factors factors.toml --strength 2")
def design(  # noqa: PLR0913 - one parameter per option, as typer wants it
    tables: Sources,
    declared: Declared,
    factor: Chosen = None,
    strength: Annotated[
        int, flag("--strength", help_text="2 or 3: so many levels together, once. [default: all]", panel="Method")
    ] = 0,
    items: Items = None,
    on: On = None,
    drop: Drop = None,
    drop_missing: DropMissing = False,
    plugin: Plugin = None,
    out: Out = None,
    show: Show = "8",
    json_: AsJson = False,
) -> None:
    """Say which prompts are missing for a full design, or for one in which every two or three levels meet."""
    from bvf.factors.designing import missing_prompts
    from bvf.factors.rows import design_section

    number = _number(show)
    table = _table(tables, declared, plugin, items, on, drop, None, drop_missing)
    found = missing_prompts(table, tuple(factor or ()), strength)
    _write(found.to_frame(), out)
    _show(found.as_json(), [design_section(_title(table, tables), found, number)], json_)


@factors.command("compare", epilog="Example: bvf factors compare a.csv b.csv --factors factors.toml --by model")
def compare(  # noqa: PLR0913 - one parameter per option, as typer wants it
    tables: Sources,
    declared: Declared,
    by: Annotated[str, flag("--by", help_text="The factor to compare by. [default: model]", panel="Method")] = "model",
    order: Order = 2,
    target: Target = 0.0,
    fewest: Fewest = 10,
    seed: Seed = 0,
    items: Items = None,
    on: On = None,
    drop: Drop = None,
    drop_missing: DropMissing = False,
    plugin: Plugin = None,
    out: Out = None,
    json_: AsJson = False,
) -> None:
    """Say whether the deviation rates of subgroups have one distribution for two models."""
    from bvf.factors.comparing import compare_models
    from bvf.factors.rows import comparison_sections

    table = _table(tables, declared, plugin, items, on, drop, None, drop_missing)
    found = compare_models(table, by, order, target=target, fewest=_positive(fewest), seed=seed)
    _write(found.to_frame(), out)
    _show(found.model_dump(mode="json"), comparison_sections(_title(table, tables), found), json_)


@factors.command("analyse", epilog="Example: bvf factors analyse answers.csv --factors factors.toml")
def analyse(  # noqa: PLR0913 - one parameter per option, as typer wants it
    tables: Sources,
    declared: Declared,
    level: Level = 0.95,
    seed: Seed = 0,
    items: Items = None,
    on: On = None,
    drop: Drop = None,
    reference: Reference = None,
    drop_missing: DropMissing = False,
    plugin: Plugin = None,
    show: Show = "8",
    json_: AsJson = False,
) -> None:
    """Say all of it: coverage, subgroups of one and of two factors, their spread, and what matters."""
    from bvf.factors.rows import result_sections
    from bvf.factors.run import analyse_table

    number = _number(show)
    table = _table(tables, declared, plugin, items, on, drop, reference, drop_missing)
    found = analyse_table(table, level=_level(level), seed=seed)
    sections = result_sections(_title(table, tables), found, number, is_number=table.is_number)
    _show(found.model_dump(mode="json", by_alias=True), sections, json_)
    if found.importance_refused:
        note(f"no regression: {found.importance_refused}")


@factors.command("run", epilog="Example: bvf factors run bbq --data BBQ/data --model gpt2 --model distilgpt2")
def run(  # noqa: PLR0913 - one parameter per option, as typer wants it
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="See `bvf benchmarks`.", show_default=False)],
    data: Annotated[Path | None, flag("--data", help_text=DATA_HELP, panel="What", metavar="DIR|FILE")] = None,
    model: Annotated[Texts, option("model", panel="Model", metavar="NAME")] = None,
    answers: Annotated[list[Path] | None, flag("--answers", help_text=ANSWERS_HELP, panel="What")] = None,
    by: Annotated[str, flag("--by", help_text=BY_HELP, panel="What", metavar="sum|bytes|letters")] = "sum",
    wordings: Annotated[Path | None, flag("--wordings", help_text=WORDINGS_HELP, panel="What", metavar="FILE")] = None,
    limit_items: Annotated[int, flag("--limit-items", help_text="The first N items.", panel="What", metavar="N")] = 0,
    backend: Annotated[Text, option("backend", panel="Model")] = None,
    device: Annotated[Text, option("device", panel="Model")] = None,
    dtype: Annotated[Text, option("dtype", panel="Model", metavar="auto|float32|bfloat16|float16")] = None,
    revision: Annotated[Text, option("revision", panel="Model")] = None,
    trust_remote_code: Annotated[bool | None, option("trust_remote_code", "--trust-remote-code", panel="Model")] = None,
    batch_tokens: Annotated[Text, option("batch_tokens", panel="Advanced", metavar="N|auto")] = None,
    engine: Annotated[Text, option("engine", panel="Advanced")] = None,
    backend_options: Annotated[Texts, plugin_options("B", "backend")] = None,
    engine_options: Annotated[Texts, plugin_options("E", "engine")] = None,
    plugin: Annotated[Texts, option("plugin", panel="Advanced", metavar="NAME")] = None,
    without: Annotated[Texts, option("without", panel="Advanced", metavar="NAME")] = None,
    out: Annotated[Text, option("out", panel="Output", metavar="DIR")] = None,
    show: Show = "8",
    json_: AsJson = False,
    quiet: Annotated[bool, flag("--quiet", "-q", help_text="No progress.")] = False,
) -> None:
    """Put a published benchmark to models, and compute its scores; what is finished is kept."""
    given = options_given(locals(), but=NO_FIELDS_OF_RUN)
    from bvf.cli.run import merged_configs
    from bvf.factors.asking import BenchmarkConfig
    from bvf.factors.benchmark_rows import as_json, score_sections
    from bvf.factors.benchmarking import published_answers, run_benchmark
    from bvf.factors.scoring import WAYS
    from bvf.hooks.loader import load

    number = _number(show)
    if by not in WAYS:
        raise BvfError(f"--by {by}: no way to score answers", f"say one of {', '.join(WAYS)}")
    if answers and model:
        raise BvfError("--answers and --model: published answers are in the place of a model's", "say one of them")
    configs = merged_configs(given, None)
    plugins = load(extra=configs[0].plugin, without=configs[0].without)
    found = []
    for each in configs:
        config = BenchmarkConfig(benchmark, data, each, by, wordings, limit_items, each.out, tuple(answers or ()))
        if answers:
            found.append(published_answers(config, plugins))
            continue
        with progress_bar(f"{benchmark} {each.model}".strip(), quiet or json_) as report:
            found.append(run_benchmark(config, plugins, report))
    _show(as_json(found), score_sections(found, number), json_)
    for answered in found:
        note(f"answers in {answered.folder}; bvf factors analyse {answered.folder}/rows.jsonl --factors {benchmark}")


def _table(  # noqa: PLR0913 - what all commands share
    tables: Sequence[Path],
    declared: str,
    plugin: Texts,
    items: Path | None,
    on: Texts,
    drop: Texts,
    reference: Texts,
    drop_missing: bool,
) -> "Table":
    from bvf.factors.run import narrowed, read_table

    declaration = _declaration(declared, plugin or ())
    table = read_table(tables, declaration, items=items, on=on or (), drop_missing=drop_missing)
    dropped: dict[str, tuple[str, ...]] = {}
    for name, level in (_assigned(text, "--drop") for text in drop or ()):
        dropped[name] = (*dropped.get(name, ()), level)
    for column, times in table.dropped.items():
        note(f'{times:,} rows left out: no value in column "{column}"')
    return narrowed(table, dropped, dict(_assigned(text, "--reference") for text in reference or ()))


def _declaration(named: str, plugins: Sequence[str]) -> "Declaration":
    from bvf.factors.declaring import read_declaration

    if named.endswith(".toml") or "/" in named:
        return read_declaration(named)
    from bvf.domain.factors import Declaration
    from bvf.hooks.loader import load

    declaration = load(extra=plugins).benchmarks.make(named).declaration
    if not isinstance(declaration, Declaration):
        raise BvfError(f"the benchmark {named} declares no factors")
    return declaration


def _assigned(text: str, option: str) -> tuple[str, str]:
    name, equals, level = text.partition("=")
    if not equals or not name.strip():
        raise BvfError(f"{option} {text}: no level is named", f"write {option} FACTOR=LEVEL")
    return name.strip(), level.strip()


def _pair(text: str) -> tuple[str, str]:
    first, colon, second = text.partition(":")
    if not colon or not first.strip() or not second.strip() or first.strip() == second.strip():
        raise BvfError(f"--interaction {text}: these are no two factors", "write --interaction A:B")
    return first.strip(), second.strip()


def _number(show: str) -> int:
    from bvf.cli.view import view_of

    return view_of(None, show).show


def _level(level: float) -> float:
    if not 0.5 <= level < 1.0:
        raise BvfError(f"--level {level:g}: an interval holds the truth with a chance of .5 to 1", "say --level 0.95")
    return level


def _positive(fewest: int) -> int:
    if fewest < 1:
        raise BvfError(f"--fewest {fewest}: a subgroup has a prompt or more", "say --fewest 10")
    return fewest


def _title(table: "Table", tables: Sequence[Path]) -> str:
    return table.title or ", ".join(each.name for each in tables)


def _write(frame: Any, out: Path | None) -> None:
    if out is None:
        return
    from bvf.files.writing import disk_errors_explained, write_text

    with disk_errors_explained(out, "say another --out"):
        write_text(out, frame.to_csv(index=False))
    note(f"{out}: {len(frame):,} rows")


def _show(value: Any, sections: "Sequence[Section]", as_json: bool) -> None:
    from bvf.report.layout import drawn

    if as_json:
        print_json(value)
        return
    for number, section in enumerate(sections):
        if number:
            stdout().print()
        stdout().print(drawn(section))
