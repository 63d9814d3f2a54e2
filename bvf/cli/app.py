"""The commands by name."""

import typer

from bvf.cli import analyse, check, contexts, doctor, mine, new, run, show

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
app.command("analyse", epilog="Example: bvf analyse runs/NAME --criterion lk:2")(analyse.analyse)
app.command("show")(analyse.show)
app.command("verify")(analyse.verify)
app.command("mine", epilog="Example: bvf mine corpus.jsonl --lang en --topic gender -o my-contexts.csv")(mine.mine)
app.command("doctor")(doctor.doctor)
app.add_typer(new.new, name="new")
app.command("check", epilog="Example: bvf check en")(check.check)
app.add_typer(show.topics, name="topics")
app.add_typer(contexts.contexts, name="contexts")
for _name, _listed, _shown in (
    ("backends", show.list_backends, show.show_backend),
    ("engines", show.list_engines, show.show_engine),
    ("miners", show.list_miners, show.show_miner),
):
    _group = typer.Typer(
        help=f"List the {_name}; `bvf {_name} show NAME` shows the options of one.", invoke_without_command=True
    )
    _group.callback()(_listed)
    _group.command("show")(_shown)
    app.add_typer(_group, name=_name)
app.command("criteria")(show.criteria)
app.command("analyses")(show.analyses)
app.command("models")(show.models)
app.command("plugins")(show.plugins)
