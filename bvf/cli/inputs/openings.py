"""``bvf openings``: the pools of sentences that a model may read before a template, and what is in one."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bvf.cli.listing import Lang, plugins_here
from bvf.errors import BvfError, nearest
from bvf.interfaces.section import Section
from bvf.tables.words import counted
from bvf.terminal.format import Format, show_as

if TYPE_CHECKING:
    from bvf.domain.openings import Openings

Name = Annotated[str, typer.Argument(metavar="NAME|FILE", help="A pool by its name or file; all if left out.")]
SHOWN = 20


def openings(name: Name = "", lang: Lang = "en", form: Format = "text") -> None:
    """See `bvf run --openings`. Columns say where a sentence is from, and how two models lean after it."""
    from bvf.measuring.contexts import find_openings

    language = plugins_here().languages.find(lang).make()
    if not name:
        rows = [_about(pool) for pool in language.openings().values()]
        lines = [(each["name"], str(each["openings"]), f"{each['bare']:.0%}", each["source"]) for each in rows]
        columns = ("name", "openings", "bare", "what")
        show_as(form, [Section(f"openings ({lang})", columns, lines, last="line")], rows)
        return
    pool = find_openings(name, language)
    if pool is None:
        raise BvfError(
            "none: templates stand bare, so there is nothing to show", nearest(name, list(language.openings()))
        )
    _show(pool, form)


def _show(pool: "Openings", form: Format) -> None:
    details = pool.details or ({},) * len(pool.texts)
    rows: list[dict[str, Any]] = [
        {"opening": text, "count": count, **known}
        for text, count, known in zip(pool.texts, pool.counts, details, strict=True)
    ]
    about = _about(pool)
    section = Section(
        f"{pool.name}: {counted(pool.sentences, 'opening')}",
        ("opening",),
        [(text,) for text in pool.texts[:SHOWN]],
        names=0,
        subtitle=[
            f"source: {pool.source}",
            f"bare: {pool.share_of_none:.0%} of contexts have no opening",
            f"licence: {pool.card.licence or 'not stated'}",
            f"cite as: {about['cite']}",
        ],
        notes=[f"and {rest:,} more: --format csv"] if (rest := len(rows) - SHOWN) > 0 else [],
        last="text",
    )
    show_as(form, [section], {**about, "rows": rows}, rows)


def _about(pool: "Openings") -> dict[str, Any]:
    from bvf.files.digests import digest_of_openings

    digest = digest_of_openings(pool)
    end = (pool.card.citation or pool.source).strip().rstrip(".")
    return {
        "name": pool.name,
        "openings": pool.sentences,
        "bare": pool.share_of_none,
        "source": pool.source,
        "digest": digest,
        "card": asdict(pool.card),
        "cite": f"{pool.name}: a pool of {counted(pool.sentences, 'opening')}, digest {digest}. {end}.",
    }
