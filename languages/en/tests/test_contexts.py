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
TABLE_8 = {
    "The [X] said that [Y]": 2142,
    "The [X] stated that [Y]": 856,
    "The [X] announced that [Y]": 641,
    "The [X] claimed that [Y]": 438,
    "The [X] wrote that [Y]": 246,
    "The [X] revealed that [Y]": 179,
    "The [X] believed that [Y]": 178,
    "The [X] explained that [Y]": 175,
    "The [X] admitted that [Y]": 144,
    "The [X] felt that [Y]": 105,
}
TABLE_9 = {
    "The [X], who played a role, is [Y]": 749,
    "The [X], who referred to, is [Y]": 715,
    "The [X], who was possible, is [Y]": 545,
    "The [X], who was common, is [Y]": 511,
    "The [X], who was available, is [Y]": 497,
    "The [X], who was the first, is [Y]": 439,
    "The [X], who came, is [Y]": 431,
    "The [X], who went, is [Y]": 380,
    "The [X], who took place, is [Y]": 373,
    "The [X], who was unknown, is [Y]": 357,
}
FIGURE_11 = dict.fromkeys(
    (
        "The [X] explained that [Y]",
        "The [X] confirmed that [Y]",
        "The [X] told that [Y]",
        "The [X] found that [Y]",
        "The [X] mentioned that [Y]",
        "The [X] was old [Y]",
        "The [X] was one [Y]",
        "The [X] asked if [Y]",
        "The [X] was aware that [Y]",
        "The [X] alleged that [Y]",
    ),
    1,
)

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


@pytest.mark.parametrize(
    ("name", "table"), [("gender-table8", TABLE_8), ("predicate", TABLE_9), ("gender-figure11", FIGURE_11)]
)
def test_templates_and_counts_are_those_of_the_paper(name, table):
    read = contexts(name)
    assert dict(zip((template.text for template in read.templates), read.counts, strict=True)) == table


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


@pytest.mark.parametrize("name", MINED_SETS)
def test_text_of_wikipedia_keeps_its_licence(name):
    card = contexts(name).card
    assert (card.licence == "CC-BY-SA-4.0") == ("Wikipedia" in card.citation)
    assert ("Tatoeba" in card.citation) <= (card.licence in {"CC-BY-SA-4.0", "CC-BY-2.0"})


@pytest.mark.parametrize("name", MINED_SETS)
def test_mined_sets_hold_no_sentence_of_a_corpus(name):
    header, *lines = (MINED / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    assert re.fullmatch(r"template,count,documents,verb,family,tense(,lean_\w+)*", header)
    names = re.compile(r"\b(?!X\b|Y\b|The\b)[A-Z]|\d{2}")
    templates = [template.text for template in contexts(name).templates]
    assert [text for text in templates if names.search(text, 1)] == []  # the first letter is that of any sentence
    assert len(lines) == len(templates)


@pytest.mark.parametrize("name", sorted({*MINED_SETS} - {"predicate-mined"}))
def test_mined_templates_tell_no_gender(name):
    told = re.compile(
        r"\b(he|she|him|her|his|hers|himself|herself|mr|mrs|miss|wife|husband|mother|father)\b", re.IGNORECASE
    )
    assert [t.text for t in contexts(name).templates if told.search(t.text)] == []


@pytest.mark.parametrize("name", sorted(set(CONTEXTS) - {"social-class"}))
def test_models_that_read_to_the_right_only_see_the_group_and_the_whole_template(name):
    assert [text for text in texts_of(name) if not text.endswith((" [Y]", " [X]"))] == []
