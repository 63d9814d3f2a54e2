"""Which sentences may be openings: whole, at home at the start of a text, and without a word of persons or topics."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LANGUAGES = Path(__file__).parents[1]
LEXICON = Path(__file__).with_name("openings.toml")
MINER_LISTS = ("persons", "masculine", "feminine", "cues", "gendered")
ENGLISH_WORD = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*")
ENGLISH_SENTENCE = re.compile(r"[A-Z][\w ,;'’-]+[.!?]")
CHINESE_SENTENCE = re.compile(r"[\u4e00-\u9fff0-9][\u4e00-\u9fff0-9，、；]+[。！？]")
ENGLISH_WORDS, CHINESE_CHARACTERS = range(5, 26), range(8, 41)


@dataclass(frozen=True)
class Lexicon:
    """What no opening of a language holds.

    ``without`` are words, ``phrases`` several words, ``starts`` first words that point to what came before, except in
    sentences like ``may_start``; ``never`` are further patterns. English only: ``capitals`` are the words with a
    capital that may stand inside a sentence, ``common`` all that are written small somewhere, as a first word must be,
    ``harmless`` those that may stand in a written opening though a list refuses them: *is* looks like a plural of *I*.
    """

    without: frozenset[str]
    phrases: tuple[str, ...]
    starts: frozenset[str]
    may_start: re.Pattern[str]
    never: re.Pattern[str]
    capitals: frozenset[str]
    common: frozenset[str]
    harmless: frozenset[str]


def topic_words(code: str) -> Iterator[str]:
    """Yield every class word, group and neutral subject of the topics of a pack that are asked after openings."""
    for file in sorted((LANGUAGES / code / f"bvf_{code}" / "topics").glob("*.toml")):
        topic = _toml(file)
        if "openings" in topic:
            yield from [*topic["groups"], *topic.get("neutral", ())]
            yield from (word for attribute in topic["attributes"] for word in attribute["words"])


def lexicon(code: str, common: Iterable[str], written: bool = False) -> Lexicon:
    """Return the words of openings.toml, of the topics and of the miner, for openings that are mined or written."""
    lists, mining = _toml(LEXICON)[code], LANGUAGES / code / f"bvf_{code}" / "mining"
    miner = _toml(mining / "lexicon.toml")
    names = _toml(mining / "names.toml") if code == "en" else {}
    persons = " ".join([*(miner.get(each, "") for each in MINER_LISTS), *names.values()])
    topics = [word.lower() for word in topic_words(code)]
    return Lexicon(
        frozenset([*lists["without"].split(), *persons.lower().split(), *topics]),
        tuple(word for word in topics if " " in word),
        frozenset(lists["starts"].split()),
        re.compile(lists.get("may_start", "(?!)")),
        re.compile(lists["never"], re.IGNORECASE),
        frozenset(lists.get("capitals", "").split()),
        frozenset(common),
        frozenset(lists.get("harmless", "").split() if written else ()),
    )


def _toml(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def english_opening(sentence: str, words: Lexicon) -> bool:
    written = ENGLISH_WORD.findall(sentence.replace("’", "'"))
    if len(sentence.split()) not in ENGLISH_WORDS or not ENGLISH_SENTENCE.fullmatch(sentence):
        return False
    named = any(word[0].isupper() and word not in words.capitals for word in written[1:])
    small = [word.lower() for word in written]
    dangling = small[0] in words.starts and not words.may_start.match(sentence)
    if named or dangling or small[0] not in words.common or len(re.findall(r"\d+", sentence)) > 1:
        return False
    asked = (word for word in small if word not in words.harmless)
    listed = any(_forms(word) & words.without for word in asked) or words.never.search(sentence)
    return not listed and not any(f" {phrase} " in f" {' '.join(small)} " for phrase in words.phrases)


def _forms(word: str) -> set[str]:
    """Return the forms under which a word may be listed: its parts around hyphens, without an ending."""
    parts = {word, word.removesuffix("'s"), *re.split("['-]", word)}
    return parts | {part.removesuffix(end) for part in parts for end in ("s", "es")} | {re.sub("ies$", "y", word)}


def chinese_opening(sentence: str, words: Lexicon) -> bool:
    if len(sentence) not in CHINESE_CHARACTERS or not CHINESE_SENTENCE.fullmatch(sentence):
        return False
    dangling = sentence.startswith(tuple(words.starts)) or words.never.search(sentence)
    return not dangling and not any(word in sentence for word in words.without)
