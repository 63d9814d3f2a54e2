"""The commands by name."""

from functools import cache
from typing import Any

import typer

from bvf.cli import (
    analyse,
    check,
    compare,
    contexts,
    doctor,
    explain,
    export,
    factors,
    gate,
    listings,
    merge,
    mine,
    new,
    plan,
    plot,
    regress,
    report,
    run,
    show,
)

app = typer.Typer(
    name="bvf",
    help="Bias and volatility of language models over contexts. `bvf run` measures the bundled model.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    epilog="--debug with any command shows the traceback of an error.",
)
app.command("run", epilog="Example: bvf run --model bundled:en-causal --model bundled:en-masked")(run.run)
app.command("merge", epilog="Example: bvf run --part 1/2; bvf run --part 2/2; bvf merge runs/NAME")(merge.merge)
app.command("analyse", epilog="Example: bvf analyse runs/NAME --criterion lk:2")(analyse.analyse)
app.command("compare", epilog="Example: bvf compare runs/NAME runs/OTHER --level 0.9")(compare.compare)
app.command("explain", epilog="Example: bvf explain runs/NAME --group nurse")(explain.explain)
app.command("regress", epilog="Example: bvf regress runs/NAME --against wages --weights employment")(regress.regress)
app.command("show")(analyse.show)
app.command("export", epilog="Example: bvf export runs/NAME runs/OTHER --to latex -o table.tex")(export.export)
app.command("report", epilog="Example: bvf report runs/NAME runs/OTHER -o report.html")(report.report)
app.command("plan", epilog="Example: bvf plan runs/NAME --precision 0.01")(plan.plan)
app.command("gate", epilog="Example: bvf gate runs/NAME --max R=0.5 --max R_volatility=0.05")(gate.gate)
app.command("plot", epilog="Example: bvf plot runs/NAME --kind lean -o lean.pdf")(plot.plot)
app.command("verify")(analyse.verify)
app.command("mine", epilog="Example: bvf mine corpus.jsonl --lang en --topic gender -o my-contexts.csv")(mine.mine)
app.command("doctor")(doctor.doctor)
app.add_typer(new.new, name="new")
app.command("check", epilog="Example: bvf check en")(check.check)
app.add_typer(factors.factors, name="factors")
app.add_typer(show.topics, name="topics")
app.add_typer(contexts.contexts, name="contexts")
for _kind in listings.KINDS:
    app.add_typer(listings.commands_of(_kind), name=_kind.name)
app.add_typer(listings.plugins, name="plugins")


@cache
def command() -> Any:
    """Return what runs the command line; it takes a while to build."""
    return typer.main.get_command(app)
