"""The context sets: the paper's tables with counts, and the project's own templates."""

import csv
import re
from collections import Counter
from importlib.resources import files

import numpy as np
import pytest
from bvf_en import bvf_contexts
from bvf_stanza import read_lexicon
from bvf_stanza.cues import cue_in

from bvf.domain.context import ContextSet
from bvf.stats.figures.context_sets import merged

CONTEXTS = {provider.name: provider for provider in bvf_contexts() if provider.name != "holisticbias"}


def table(template: str, counted: str) -> dict[str, int]:
    """Templates and their counts, from words that stand in them with the count behind."""
    rows = (each.rsplit(" ", 1) for each in counted.split(", "))
    return {template.format(words): int(count) for words, count in rows}


OF_THE_PAPER = {
    "gender-table8": table(
        "The [X] {} that [Y]",
        "said 2142, stated 856, announced 641, claimed 438, wrote 246, revealed 179, believed 178, explained 175, "
        "admitted 144, felt 105",
    ),
    "predicate": table(
        "The [X], who {}, is [Y]",
        "played a role 749, referred to 715, was possible 545, was common 511, was available 497, was the first 439, "
        "came 431, went 380, took place 373, was unknown 357",
    ),
    "gender-figure11": table(
        "The [X] {} [Y]",
        "explained that 1, confirmed that 1, told that 1, found that 1, mentioned that 1, was old 1, was one 1, "
        "asked if 1, was aware that 1, alleged that 1",
    ),
}
OWN = {
    *("age", "disability", "hair-colour", "nationality", "race", "religion", "sexual-orientation"),
    *("looks", "ordinal", "politics", "social-class", "traits", "weekday", "weekday-adjectives", "weekday-names"),
    *("names", "nationality-traits", "occupation-traits", "traits-nationality"),
    *("stories", "personas", "letters", "gender-choices"),
}
BY_SOURCE = ("gender-wikipedia", "gender-novels", "gender-tatoeba")
REDRAWN = ("gender-all", "gender-mixed", "gender-balanced", "gender-no-cues", *BY_SOURCE, "predicate-mined")


def contexts(name: str) -> ContextSet:
    return CONTEXTS[name].load()()


def texts_of(name: str) -> list[str]:
    return [template.text for template in contexts(name).templates]


@pytest.mark.parametrize("name", OF_THE_PAPER)
def test_templates_and_counts_are_those_of_the_paper(name):
    assert dict(zip(texts_of(name), contexts(name).counts, strict=True)) == OF_THE_PAPER[name]


@pytest.mark.parametrize("name", sorted(OWN))
def test_no_two_templates_of_the_projects_own_sets_are_one_for_a_causal_model(name):
    read = [text[: max(text.index("[X]"), text.index("[Y]")) + 3] for text in texts_of(name)]
    assert len(set(read)) == len(read)


MINED = files("bvf_en") / "contexts"
MINED_SETS = ("gender", "gender-far", *REDRAWN)


def test_sets_by_source_add_up_to_the_whole_with_documents_and_replicates():
    everything, together = contexts("gender-all"), merged([contexts(name) for name in BY_SOURCE], "together")
    assert together.templates == everything.templates
    assert together.counts == everything.counts
    assert (together.sampling.replicates == everything.sampling.replicates).all()
    assert together.sampling.documents == everything.sampling.documents
    assert together.card.licence == "CC-BY-SA-4.0 AND Apache-2.0 AND CC-BY-2.0"


def counts_of(name: str) -> Counter[str]:
    return Counter(dict(zip(texts_of(name), map(int, contexts(name).counts), strict=True)))


def test_the_mixed_set_has_all_of_wikipedia_and_tatoeba_and_less_than_a_third_of_novels():
    mixed = counts_of("gender-mixed")
    today = counts_of("gender-wikipedia") + counts_of("gender-tatoeba")
    assert today <= mixed
    assert 0.25 < (mixed - today).total() / mixed.total() < 1 / 3
    assert all(counts_of(source).total() < mixed.total() / 2 for source in ("gender-wikipedia", "gender-tatoeba"))


def test_the_balanced_set_has_texts_of_today_and_leans_on_no_template():
    balanced, today = counts_of("gender-balanced"), counts_of("gender-wikipedia") + counts_of("gender-tatoeba")
    assert today.keys() <= balanced.keys()
    assert max(balanced.values()) == 20
    assert all(balanced[template] == min(count, 20) for template, count in today.items() if count >= 20)
    novels = sum(max(balanced[template] - today[template], 0) for template in balanced)
    assert 0.1 < novels / balanced.total() < 1 / 3
    shares = np.array(list(balanced.values())) / balanced.total()
    effective_of_80_draws = 1 / ((shares**2).sum() * (1 - 1 / 80) + 1 / 80)
    assert effective_of_80_draws > 45
    assert contexts("gender-balanced").sampling.replicates.max() == 20


def test_the_set_without_cues_passes_the_lexicon_of_the_miner_and_has_natural_counts():
    lexicon, clean = read_lexicon(files("bvf_en.mining")), counts_of("gender-no-cues")
    assert [text for text in clean if cue_in(text, lexicon)] == []
    balanced = counts_of("gender-balanced")
    refused = sum(count for text, count in balanced.items() if cue_in(text, lexicon))
    assert refused > 50
    assert clean["The [X] said that [Y]"] > 100
    assert sum(clean[text] == count for text, count in balanced.items()) > 250


def test_the_far_set_has_the_templates_in_which_a_model_is_far_from_its_mean():
    rows = read_csv("gender-no-cues")
    weights = np.array([int(row["count"]) for row in rows])
    kept = np.zeros(len(rows), dtype=bool)
    for name in ("lean_smollm2", "lean_gemma"):
        lean = np.array([float(row[name]) for row in rows])
        kept |= np.abs(lean - weights @ lean / weights.sum()) > 0.3
    assert read_csv("gender-far") == [row for row, is_kept in zip(rows, kept, strict=True) if is_kept]
    far, whole = contexts("gender-far"), contexts("gender-no-cues")
    assert (len(far.templates), sum(far.counts), far.occurrences) == (86, 105, weights.sum())
    assert far.share == 105 / 508
    assert far.sampling.documents == whole.sampling.documents


def read_csv(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((MINED / f"{name}.csv").read_text(encoding="utf-8").splitlines()))


NAMES = re.compile(r"\b(?!X\b|Y\b|The\b)[A-Z]|\d{2}")
TELL_GENDER = re.compile(
    r"\b(he|she|him|her|his|hers|himself|herself|mr|mrs|miss|wife|husband|mother|father)\b", re.IGNORECASE
)


@pytest.mark.parametrize("name", MINED_SETS)
def test_mined_sets_keep_the_licence_of_their_texts_and_hold_no_sentence_of_them_and_tell_no_gender(name):
    card = contexts(name).card
    assert (card.licence == "CC-BY-SA-4.0") == ("Wikipedia" in card.citation)
    assert ("Tatoeba" in card.citation) <= (card.licence in {"CC-BY-SA-4.0", "CC-BY-2.0"})
    header, *lines = (MINED / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    assert re.fullmatch(r"template,count,documents,verb,family,tense(,lean_\w+)*", header)
    assert [text for text in texts_of(name) if NAMES.search(text, 1)] == []  # the first letter is that of any sentence
    assert len(lines) == len(texts_of(name))
    assert name == "predicate-mined" or [text for text in texts_of(name) if TELL_GENDER.search(text)] == []


@pytest.mark.parametrize("name", sorted(set(CONTEXTS) - {"social-class"}))
def test_models_that_read_to_the_right_only_see_the_group_and_the_whole_template(name):
    assert [text for text in texts_of(name) if not text.endswith((" [Y]", " [X]"))] == []
