"""``bvf models``: the models that come with plugins, and those that Python packages carry."""

from typing import TYPE_CHECKING, Any

import typer
from packaging.utils import canonicalize_name

from bvf.cli.listing import fact_section, listing, plugins_here
from bvf.cli.plugins.listings import MODELS, show_entry
from bvf.errors import BvfError
from bvf.files.packages.models import KNOWN, PACKAGE, KnownPackage, PackageModel, carriers, find_model
from bvf.interfaces.section import Section
from bvf.terminal.format import Format, FormatName, show_as

if TYPE_CHECKING:
    import pandas as pd

PREFIX = f"{PACKAGE}:"
models = typer.Typer(invoke_without_command=True)


@models.callback()
def list_models(ctx: typer.Context, form: Format = "text") -> None:
    """List the bundled models and those in Python packages; `bvf models show NAME` shows one."""
    if ctx.invoked_subcommand is not None:
        return
    bundled, rows = listing("bundled models", plugins_here().models)
    packaged = _packaged()
    everything = [*rows, *packaged]

    def frame() -> "pd.DataFrame":
        import pandas as pd

        return pd.DataFrame(everything).convert_dtypes()

    show_as(form, [bundled, _section(packaged)], everything, frame)


def _section(packaged: list[dict[str, Any]]) -> Section:
    cells = [
        (
            row["name"],
            row["version"],
            row["licence"] or "not stated",
            _megabytes(row["bytes"]),
            row["summary"] if not row["usable"] else f"{row['usable'].partition(':')[0]}, see below",
        )
        for row in packaged
    ]
    notes = [f"{row['name']}: {row['usable']}" for row in packaged if row["usable"]]
    columns = ("name", "version", "licence", "size", "what")
    return Section("models in Python packages", columns, cells, names=3, notes=notes, last="line")


@models.command("show")
def show_model(name: str, form: Format = "text") -> None:
    """Show a model, bundled:NAME or package:NAME: what it is, where it comes from, its licence and size."""
    if name.startswith(PREFIX):
        _show_packaged(name, form)
    else:
        plugins = plugins_here()
        show_entry(MODELS, plugins.models.find(name.removeprefix("bundled:")), plugins, form)


def _show_packaged(name: str, form: FormatName) -> None:
    model = find_model(name.removeprefix(PREFIX))
    row = _row(name, model)
    facts = [
        ("name", f"--model {name}"),
        ("package", f"{row['distribution']} {row['version']}"),
        ("licence", row["licence"] or "not stated"),
        ("file", row["file"]),
        ("parts", str(len(model.files)) if model.kind == "parts" else ""),
        ("size", _megabytes(row["bytes"])),
        ("SHA-256", row["digest"]),
        ("folder", str(model.files[0].at.parent) if model.files else ""),
        ("usable", row["usable"]),
    ]
    facts = [(what, fact) for what, fact in facts if fact]
    show_as(form, [fact_section(f"{name}: {row['summary']}", facts)], {**row, "facts": dict(facts), "options": {}})


def _packaged() -> list[dict[str, Any]]:
    """The models of installed packages, and of known packages that are not installed, by name."""
    installed = carriers()
    names = {canonicalize_name(carrier.package.name) for carrier in installed}
    rows = [_row(name, model) for carrier in installed for name, model in carrier.named.items()]
    rows += [_row_of_known(known) for known in KNOWN if known.distribution not in names]
    return sorted(rows, key=lambda row: str(row["name"]))


def _row_of_known(known: KnownPackage) -> dict[str, Any]:
    return {
        "name": f"{PREFIX}{known.distribution.replace('-', '_')}",
        "language": "",
        "summary": f"{known.name}, {known.summary}",
        "plugin": "",
        "version": known.version,
        "usable": f"not installed: {known.install}",
        "distribution": known.distribution,
        "licence": known.licence,
        "file": "",
        "bytes": known.size,
        "digest": known.digest,
    }


def _row(name: str, model: PackageModel) -> dict[str, Any]:
    from bvf.files.packages.content import described, display_name, refuse_missing  # needs numpy, which --help avoids

    package = described(model, model.digest)
    known = [each.summary for each in KNOWN if each.digest == package.digest]
    try:
        refuse_missing(model)
        problem = ""
    except BvfError as error:
        problem = f"not usable: parts are missing, {error.hint}"
    return {
        "name": name,
        "language": "",
        "summary": ", ".join([display_name(package), *(known or [model.package.summary])]).removesuffix(", "),
        "plugin": "",
        "version": package.version,
        "usable": problem,
        "distribution": package.distribution,
        "licence": package.licence,
        "file": package.file,
        "bytes": model.size,
        "digest": package.digest,
    }


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
