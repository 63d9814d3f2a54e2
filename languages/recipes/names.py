"""Choose the names of the English topic names-origin: ``python languages/recipes/names.py nam_dict.txt``.

The list of first names by country of Jörg Michael (2008, GNU Free Documentation License 1.2 or later) is in the package
gender-guesser 0.4.0, as ``gender_guesser/data/nam_dict.txt``. It has a level of frequency per country, 1 to 13, where a
step is a factor of two. Taken are the most frequent names of a country that are rare elsewhere and in the other gender.
"""

import argparse
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

COUNTRIES = """
Great Britain, Ireland, USA, Italy, Malta, Portugal, Spain, France, Belgium, Luxembourg, Netherlands, East Frisia,
Germany, Austria, Swiss, Iceland, Denmark, Norway, Sweden, Finland, Estonia, Latvia, Lithuania, Poland, Czech Republic,
Slovakia, Hungary, Romania, Bulgaria, Bosnia and Herzegovina, Croatia, Kosovo, Macedonia, Montenegro, Serbia, Slovenia,
Albania, Greece, Russia, Belarus, Moldova, Ukraine, Armenia, Azerbaijan, Georgia, Kazakhstan/Uzbekistan, Turkey,
Arabia/Persia, Israel, China, India/Sri Lanka, Japan, Korea, Vietnam, other countries
"""
"""The columns of the list, in their order."""
GENDER_AT, NAME_AT, LEVELS_AT = slice(0, 2), slice(3, 29), 30
GENDERS = {"F": "female", "M": "male", "?": "either"}
RARER = 3
"""By how many levels a name must be rarer elsewhere and in the other gender: an eighth."""
PER_GENDER = 5
WRITTEN = re.compile("[A-Z][a-z]{2,}")
"""Names of plain letters, so that no tokenizer cuts one origin's names for their accents."""
SPELT_IN_GERMAN = re.compile("[jw]")


@dataclass(frozen=True)
class Origin:
    """Where names are from: the country whose most frequent names are taken, and others that may share them."""

    country: str
    may_share: tuple[str, ...] = ()
    genders: tuple[str, ...] = ("F", "M")


NEIGHBOURS_OF_RUSSIA = """
Estonia, Latvia, Lithuania, Poland, Czech Republic, Slovakia, Bulgaria, Bosnia and Herzegovina, Croatia, Kosovo,
Macedonia, Montenegro, Serbia, Slovenia, Belarus, Moldova, Ukraine, Armenia, Azerbaijan, Georgia, Kazakhstan/Uzbekistan
"""
ORIGINS = {
    "English": Origin("USA", ("Great Britain", "Ireland")),
    "Hispanic": Origin("Spain"),
    "Russian": Origin("Russia", tuple(re.split(r",\s*", NEIGHBOURS_OF_RUSSIA.strip()))),
    "Arabic": Origin("Arabia/Persia"),
    "Turkish": Origin("Turkey"),
    "South Asian": Origin("India/Sri Lanka"),
    "Japanese": Origin("Japan"),
    "Chinese": Origin("China", ("Korea", "Vietnam"), ("?",)),
}
"""Chinese names of one syllable are of both genders, as the list says."""

Levels = dict[str, dict[str, dict[str, int]]]
"""Levels by name, gender and country."""


def levels_in(file: Path) -> Levels:
    countries = re.split(r",\s*", COUNTRIES.strip())
    levels: Levels = defaultdict(lambda: defaultdict(dict))
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith(("#", "=")):
            of_each = zip(countries, line[LEVELS_AT:].rstrip("$"), strict=False)
            found = {country: int(level, 16) for country, level in of_each if level.strip()}
            levels[line[NAME_AT].strip()][line[GENDER_AT].strip()].update(found)
    return levels


def chosen(levels: Levels, origin: Origin, gender: str, number: int) -> list[str]:
    """Return the most frequent names of an origin and a gender; of several spellings the first one in the alphabet."""
    own = {origin.country, *origin.may_share}
    ranked = []
    for name, genders in levels.items():
        level = genders.get(gender, {}).get(origin.country, 0)
        elsewhere = max((at for each in genders.values() for land, at in each.items() if land not in own), default=0)
        others = max((at for of, each in genders.items() if of != gender for at in each.values()), default=0)
        if level and WRITTEN.fullmatch(name) and max(elsewhere, others) <= level - RARER:
            ranked.append((-level, elsewhere, name))
    by_sound = dict[str, str]()
    for _, _, name in sorted(ranked):
        if origin is not ORIGINS["Russian"] or not SPELT_IN_GERMAN.search(name.lower()):
            by_sound.setdefault(_consonants(name), name)
    return list(by_sound.values())[:number]


def _consonants(name: str) -> str:
    """The consonants of a name, doubled ones once: the same for *Mohamed* and *Mohammad*."""
    letters = name.lower().replace("x", "ks").replace("w", "v").replace("q", "k")
    return re.sub(r"(.)\1+", r"\1", re.sub("[aeiouyj]", "", letters))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("list", type=Path)
    levels = levels_in(parser.parse_args().list)
    for name, origin in ORIGINS.items():
        for gender in origin.genders:
            for each in chosen(levels, origin, gender, PER_GENDER * 2 // len(origin.genders)):
                print(f'[factors."{each}"]\ngender = "{GENDERS[gender]}"\norigin = "{name}"\n')


if __name__ == "__main__":
    main()
