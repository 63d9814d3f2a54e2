"""The processors in each language's Stanza pipeline."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    """A pipeline. ``processors`` are trained in this order; ``given`` maps other processors to packages of Stanza."""

    code: str
    name: str
    treebank: str
    processors: tuple[str, ...]
    given: dict[str, str]


ENGLISH = Language("en", "English", "UD_English-Tiny", ("tokenize", "mwt", "pos", "lemma", "depparse"), {})
CHINESE = Language(
    "zh", "Simplified_Chinese", "UD_Chinese-Tiny", ("tokenize", "pos", "depparse"), {"lemma": "identity"}
)
LANGUAGES = {language.code: language for language in (ENGLISH, CHINESE)}
PACKAGE = "tiny"


def resources(language: Language) -> dict[str, object]:
    """Return the content of ``resources.json`` for one language, in Stanza's format."""
    package = {name: PACKAGE for name in language.processors} | language.given
    entry: dict[str, object] = {"lang_name": language.name}
    entry |= {name: {PACKAGE: {}} for name in language.processors}
    entry["packages"] = {"default": package}
    aliases = {"zh-hans": {"alias": "zh"}} if language.code == "zh" else {}
    return {language.code: entry} | aliases
