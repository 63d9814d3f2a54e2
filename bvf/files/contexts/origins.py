"""Reads and writes what stands beside a context set: its source, how its counts were sampled, and its data card."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bvf.domain.context import Card, Sampling
from bvf.domain.numbers import Amount
from bvf.errors import BvfError, shortened
from bvf.files.contexts.sampling import merged_in, mined_in, sampling_in, wrong_value
from bvf.files.parsing import is_file, parse_toml, read_text

SOURCES = "sources.toml"
KNOWN_NAMES = "write its SPDX identifier, such as CC-BY-4.0 or Apache-2.0 (https://spdx.org/licenses)"


@dataclass(frozen=True)
class Origin:
    """What stands beside a context set. ``source`` may be empty; ``sampling`` is None if it is not stated."""

    source: str = ""
    sampling: Sampling | None = None
    card: Card = field(default_factory=Card)


class CardEntry(BaseModel):
    """A data card in ``sources.toml`` or in a record. `Card` explains the fields."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    licence: str = ""
    citation: str = ""
    language: str = ""
    miner: str = ""
    min_confidence: Annotated[Amount, Field(le=1)] | None = None


def origin_of(file: Path) -> Origin:
    """Return what stands beside a context set: in ``sources.toml``, else in the record that mining or merging wrote.

    Raises:
        BvfError: ``sources.toml`` is not TOML, or what it has of this set is wrong.
    """
    entry = entry_of(file.parent, file.stem)
    if entry is not None:
        return stated(entry, f"{file.parent / SOURCES}: [{file.stem}]")
    if mined := mined_in(file):
        return Origin(_mined_from(file, mined), None, _card_of_mined(mined))
    merged = merged_in(file)
    try:
        return Origin(str(merged.get("source") or ""), None, card_in(merged.get("card") or {}, str(file)))
    except (BvfError, AttributeError):
        return Origin()


def entry_of(folder: Traversable | Path, stem: str) -> Mapping[str, Any] | None:
    """Return the entry of a context set in the ``sources.toml`` of its folder; None if there is none."""
    sources = folder / SOURCES
    if not (is_file(sources) if isinstance(sources, Path) else sources.is_file()):
        return None
    entry = parse_toml(read_text(sources), str(sources)).get(stem)
    return entry if isinstance(entry, dict) else None


def refuse_stated(option: str, file: Path) -> None:
    """Raise `BvfError` if ``sources.toml`` states where a context set is from that a command is to write."""
    if entry_of(file.parent, file.stem) is not None:
        raise BvfError(
            f"{option} {file}: {SOURCES} in its folder states the source of {file.stem}",
            f"choose another {option}, or delete its entry there",
        )


def stated(entry: Mapping[str, Any], where: str) -> Origin:
    """Return what an entry of ``sources.toml`` states of a context set; messages begin with ``where``.

    Raises:
        BvfError: A value is of the wrong kind, two contradict each other, or the licence is not known.
    """
    source = entry.get("source")
    return Origin(source if isinstance(source, str) else "", sampling_in(entry, where), card_in(entry, where))


def card_in(entry: Mapping[str, Any], where: str) -> Card:
    """Return the data card in an entry.

    Raises:
        BvfError: A value is of the wrong kind, or the licence is not known; the message begins with ``where``.
    """
    try:
        card = CardEntry.model_validate({name: entry[name] for name in CardEntry.model_fields if name in entry})
    except ValidationError as error:
        right = "licence, citation, language and miner are texts, min_confidence is 0 to 1"
        raise wrong_value(error, where, right) from error
    licence = checked_licence(card.licence, f"{where}: licence") if card.licence else ""
    return Card(**{**card.model_dump(), "licence": licence})


def _mined_from(file: Path, record: Mapping[str, Any]) -> str:
    """The source of a mined context set; empty if its record does not say."""
    try:
        corpus = record["corpus"]
        return f"{file}, mined from {corpus['source']}: {corpus['documents']} documents, digest {corpus['digest'][:8]}"
    except (KeyError, TypeError):
        return ""


def _card_of_mined(record: Mapping[str, Any]) -> Card:
    """The data card of a mined context set. It has no licence, as that depends on the corpus."""
    by, versions = (each if isinstance(each := record.get(name), dict) else {} for name in ("miner", "versions"))
    versions = {by.get("package", ""): by.get("version", ""), **versions}
    libraries = [f"{name} {version}" for name, version in versions.items() if version]
    language = str(record.get("language") or "")
    miner = ", ".join(filter(None, [str(by.get("name") or language), str(record.get("models") or ""), *libraries]))
    try:
        return card_in({"language": language, "miner": miner, "min_confidence": record.get("min_confidence")}, "")
    except BvfError:
        return Card(language=language, miner=miner)


def checked_licence(text: str, where: str) -> str:
    """Return an SPDX expression in its usual spelling.

    >>> checked_licence("cc-by-sa-4.0 and mit", "--licence")
    'CC-BY-SA-4.0 AND MIT'

    Raises:
        BvfError: It is none; the message begins with ``where``.
    """
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    try:
        return str(canonicalize_license_expression(text))
    except InvalidLicenseExpression as error:
        raise BvfError(f'{where} is "{shortened(text)}", which names no known licence', KNOWN_NAMES) from error
