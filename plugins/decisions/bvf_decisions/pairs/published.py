"""Reads the sentences of Winogender and WinoBias as contexts about two people, from folders of their own files."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from bvf import BvfError, ContextSet, Template
from bvf.files import delimited_rows, read_text
from bvf_decisions.pairs.found import PLACES

SLOTS = ("[X1]", "[X2]")
PEOPLE = {"0": "$OCCUPATION", "1": "$PARTICIPANT"}
"""The slots of Winogender, by the answer that means them."""
PRONOUN = re.compile(r"\$(?:NOM|POSS|ACC)_PRONOUN")
BRACKETS = re.compile(r"\[+([^\[\]]*)\]")
PRONOUNS = ("he", "she", "him", "her", "his", "hers", "himself", "herself")
ARTICLES = re.compile(r"(?:the|an?) ", re.IGNORECASE)

Sentences = Iterator[tuple[str, Mapping[str, str]]]
"""Texts with slots, and what is known of each."""


def read_winogender(folder: str = "") -> ContextSet:
    """Return the templates of Winogender; the column ``meant`` has the place of the person whom the pronoun means."""
    return _set("winogender", folder, ["templates.tsv"], _of_winogender)


def read_winobias(folder: str = "") -> ContextSet:
    """Return the sentences of WinoBias that have one pronoun; those against a stereotype are the same ones."""
    sentences = [f"pro_stereotyped_type{kind}.{split}.txt" for kind in (1, 2) for split in ("dev", "test")]
    return _set("winobias", folder, ["male_occupations.txt", "female_occupations.txt", *sentences], _of_winobias)


def _set(name: str, folder: str, files: Sequence[str], read: Callable[[Sequence[Path]], Sentences]) -> ContextSet:
    paths = [Path(folder) / file for file in files]
    missing = [path for path in paths if not path.is_file()]
    if not folder or missing:
        message = f"--contexts {name}:{folder}: {f'no file {missing[0]}' if folder else 'no folder is named'}"
        raise BvfError(message, f"write {name}:FOLDER, a folder with the published files: {', '.join(files)}")
    sentences = list(read(paths))
    times, known = Counter(text for text, _ in sentences), dict(reversed(sentences))
    source = f"{folder}: both people are slots, and their pronoun is the word that is asked for"
    templates, details = tuple(map(Template, times)), tuple(known[text] for text in times)
    return ContextSet(f"{name}:{folder}", templates, tuple(map(float, times.values())), source, details)


def _of_winogender(files: Sequence[Path]) -> Sentences:
    for row in delimited_rows(read_text(files[0]), str(files[0])):
        sentence, answer = row.text("sentence"), row.text("answer")
        if any(sentence.count(person) != 1 for person in PEOPLE.values()) or answer not in PEOPLE:
            raise BvfError(f"{row.where}: not two people and an answer of 0 or 1", "take the published templates.tsv")
        order = sorted(PEOPLE, key=lambda each: sentence.index(PEOPLE[each]))
        for slot, each in zip(SLOTS, order, strict=True):
            sentence = sentence.replace(PEOPLE[each], slot)
        people = {"0": row.text("occupation(0)"), "1": row.text("other-participant(1)")}
        columns = {f"published_{place}": people[each] for place, each in zip(PLACES, order, strict=True)}
        yield PRONOUN.sub("[Y]", sentence), {**columns, "meant": PLACES[order.index(answer)]}


def _of_winobias(files: Sequence[Path]) -> Sentences:
    names = [name for file in files[:2] for name in read_text(file).split("\n") if name.strip()]
    occupation = re.compile(rf"\b({'|'.join(sorted((name.strip() for name in names), key=len, reverse=True))})\b", re.I)
    for file in files[2:]:
        for number, line in enumerate(read_text(file).strip().split("\n"), start=1):
            text, bracketed = line.partition(" ")[2], BRACKETS.findall(line)
            meant = [ARTICLES.sub("", each.strip()).lower() for each in bracketed if each.lower() not in PRONOUNS]
            people = list(dict.fromkeys(each.lower() for each in occupation.findall(text)))
            if len(meant) != 1 or meant[0] not in people or len(people) < 2:
                raise BvfError(
                    f"{file}:{number}: not two occupations, one of them in brackets", "[The cook] met the guard"
                )
            if len(bracketed) > 2:  # two pronouns: the first would tell the second
                continue
            other = next(each for each in people if each != meant[0])
            pair = [each for each in people if each in (meant[0], other)]
            text = BRACKETS.sub(lambda found: "[Y]" if found[1].lower() in PRONOUNS else found[1], text)
            for name, slot in zip(pair, SLOTS, strict=True):
                text = re.sub(rf"\b{name}\b", slot, text, flags=re.IGNORECASE)
            columns = {f"published_{place}": each for place, each in zip(PLACES, pair, strict=True)}
            yield text, {**columns, "meant": PLACES[pair.index(meant[0])], "type": file.name.partition("_type")[2][0]}
