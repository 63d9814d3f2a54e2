"""What sentences on a result say, and when, against plain computations from the probabilities (linf, raw scale)."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from bvf_testing.measurements import measurement_of
from helpers.made_alike import with_asked, with_model

import bvf
from bvf.analyses.risk.controls.tables import against_controls
from bvf.analyses.risk.sentences import (
    beside_neutral,
    by_kinds,
    changes_of_side,
    common_lean,
    furthest,
    if_alike,
    leans,
    sentences,
    without_a_word,
)
from bvf.analyses.risk.verdict import verdicts
from bvf.domain.answers import Samples
from bvf.domain.asked import AskedSampling, AskedTemplate
from bvf.domain.generation import Generation, TextsRead, Thinking, ThoughtsRead
from bvf.domain.groups import Selection
from bvf.domain.topic import Attribute
from bvf.results.footnotes import (
    about_intervals,
    basis,
    in_short,
    not_of_the_run,
    read_in_texts,
    sensitivity,
    thought_before,
    what_of,
    where_the_rest_is,
)
from bvf.results.result import name_of, names_of
from bvf.results.store import NOT_STORED
from bvf.study.reference import NeutralAnswers

COUNTS = np.array([9, 5, 4, 3, 3, 2, 2, 1, 1, 1, 1, 1])
W = COUNTS / COUNTS.sum()
PLAIN = {"classes": 2, "groups": 5, "p_star": "", "kind": "exact", "written": False, "fair": False, "J": "linf"}
SCENES = [{}, {"classes": 5}, {"p_star": "group"}, {"classes": 5, "p_star": "group"}, {"p_star": "context"}]
SCENES += [{"kind": "sampled"}, {"kind": "texts", "classes": 5}, {"written": True, "classes": 5}, {"groups": 1}]
SCENES += [{"fair": True}, {"J": "kl"}]


@pytest.fixture(params=SCENES, ids=str, scope="module")
def of(request, tmp_path_factory):
    """A scene, its result, p and p* of shape (X, C, Y), and the names of classes and groups."""
    scene, rng = SimpleNamespace(**PLAIN | request.param), np.random.default_rng(7)
    y, x, c = scene.classes, scene.groups, len(W)
    classes, groups = ["male", "female", "both", "other", "none"][:y], [f"g{i}" for i in range(x)]
    p = rng.dirichlet(np.ones(y), (x, c)) * 0.6 + 0.4 * rng.dirichlet(np.ones(y), (x, 1))
    p_star = np.full((x, c, y), 1 / y)
    if scene.p_star:
        p_star = np.broadcast_to(rng.dirichlet(np.full(y, 9.0), (x, c if scene.p_star == "context" else 1)), p.shape)
    exact = scene.kind == "exact"
    p = p_star if scene.fair else p if exact else rng.multinomial(8, p) / 8
    made = measurement_of(p, groups=groups, classes=classes)
    templates = tuple(AskedTemplate(template=f"[X] {i} [Y]", count=n) for i, n in enumerate(COUNTS.tolist()))
    sampling = AskedSampling(written=scene.written, occurrences=None if scene.written else float(COUNTS.sum()))
    made = with_asked(made, templates=templates, sampling=sampling)
    if not exact:
        made = replace(with_model(made, samples=8), answers=Samples(np.full(p.shape[:2], 8.0)), word_logprobs=None)
    table = tmp_path_factory.mktemp("p") / "p.csv"
    rows = [(g, f"[X] {k} [Y]", *p_star[i, k]) for i, g in enumerate(groups) for k in range(c)]
    table.write_text("\n".join(",".join(map(str, row)) for row in [("group", "context", *classes), *rows]))
    choices = {"reference": str(table) if scene.p_star else "uniform", "scale": "raw", "criterion": scene.J}
    result, beside = bvf.analyse(made, **choices), beside_it(made, choices, table.parent / "run") if exact else None
    texts = {"generation": Generation(samples=8, tokens=20, temperature=1.0, seed=0), "samples": 0}
    result = result.model_copy(update=texts if scene.kind == "texts" else {})
    s = p / p_star - 1
    J = (s.max(axis=2), np.einsum("xcy,c->xy", s, W).max(axis=1))
    parted, names = scene.groups > 1 and scene.J == "linf", {"classes": classes, "groups": groups, "beside": beside}
    return SimpleNamespace(scene=scene, result=result, p=p, p_star=p_star, J=J, exact=exact, parted=parted, **names)


def beside_it(made, choices, folder):
    """What may be asked beside a measurement, made up, and the result with it.

    These are two words per class, each a kind; two neutral subjects; and, in the same contexts, a control of two
    classes and thirty other words.
    """
    p, asked, rng = made.probabilities, made.record.asked, np.random.default_rng(8)
    first, neutral = rng.uniform(0.2, 0.8, p.shape) * p, rng.dirichlet(np.ones(p.shape[2]), (2, p.shape[1]))
    words = np.stack([first, p - first])
    control, others = (
        with_asked(
            measurement_of(rng.dirichlet(np.ones(n), p.shape[:2]), groups=asked.group_names),
            attributes=tuple(Attribute(name=f"{of}{k}", words=(f"{of}{k}",)) for k in range(n)),
            **{"topic": of, "templates": asked.templates, "sampling": asked.sampling},
        )
        for of, n in (("coin", 2), ("word", 30))
    )
    kinds = {kind: tuple(f"{name} {kind}" for name in asked.classes) for kind in ("one", "two")}
    made = replace(
        with_asked(made, kinds=kinds),
        folder=folder,
        word_logprobs=np.log(np.moveaxis(words, 0, 3)).reshape(*p.shape[:2], -1),
    )
    here = SimpleNamespace(sub=lambda name: SimpleNamespace(exists=lambda file: True), path=Path("coin"))
    answers = NeutralAnswers(("person", "someone"), neutral, np.zeros(neutral.shape[:2]))
    with pytest.MonkeyPatch.context() as patched:
        for module, names in {
            "parts_of_lean": {"were_asked": True, "neutral_answers": answers},
            "controls.analysis": {"control_folders": [here], "read_measurement": control},
            "other_words": {"run_at": here, "_read": others},
        }.items():
            for name, answer in names.items():
                patched.setattr(f"bvf.analyses.risk.{module}.{name}", lambda *asked, answer=answer: answer)
        result = bvf.analyse(made, **choices)
    others = others.probabilities
    return SimpleNamespace(result=result, words=words, neutral=neutral, control=control.probabilities, others=others)


def test_groups_are_counted_by_the_class_that_is_furthest_above_p_star(of):
    mean, expected = (np.einsum("xcy,c->xy", each, W) for each in (of.p, of.p_star))
    to = Counter(of.classes[y] for y in (mean / expected).argmax(axis=1)[(mean - expected).max(axis=1) > 1e-9])
    said, number = re.sub(r" \(\d+ surely\)", "", leans(of.result)), len(of.groups)
    if len(to) < 2:
        all_of_them = f"All {number} groups lean" if number > 1 else "The group leans"
        assert said == (f"{all_of_them} to {min(to)}" if to else "No group leans to a class")
        return
    counted = {name: int(n) for n, name in re.findall(r"(\d+) (?:of \d+ groups leans? )?to (\w+)", said)}
    further = counted.pop("other", 0) if " to other classes" in said else 0
    assert (sum(counted.values()) + further, counted.items() <= to.items()) == (number, True)
    assert sorted(counted.values(), reverse=True) == sorted(to.values(), reverse=True)[: len(counted)]


def test_changes_of_side_are_counted_where_probabilities_are_exact(of):
    sides = (of.p / of.p_star).argmax(axis=2)
    most = [max(W[row == y].sum() for y in set(row.tolist())) for row in sides]
    number = 0 if of.scene.fair else sum(1 - share > 0.1 for share in most)
    change = (
        f"{ {0: 'none changes', 1: '1 changes'}.get(number, f'{number} change') } sides in more than 10% of contexts"
    )
    assert changes_of_side(of.result) == (change if of.exact else "")
    if of.exact and of.scene.J == "linf":
        volatility = (of.J[0] @ W - of.J[1]).mean()
        assert sentences(of.result)[-1].startswith("R^v is 0; of" if of.scene.fair else f"R^v {volatility:.4f}; of")


def test_what_is_shared_and_what_sets_apart_is_computed_again(of):
    lean, risks = (of.p - of.p_star).mean(axis=0, keepdims=True), list[float]()
    for s in (lean / of.p_star, of.p / of.p_star - 1 - lean / of.p_star):
        bias = np.einsum("xcy,c->xy", s, W).max(axis=1).mean()
        risks += [bias, (s.max(axis=2) @ W).mean() - bias]
    to = of.classes[(np.einsum("xcy,c->y", of.p, W) / np.einsum("xcy,c->y", of.p_star, W)).argmax()]
    said, alike = ([re.sub(r" \(95%: [^)]+\)", "", each) for each in f(of.result)] for f in (sentences, if_alike))
    fair, is_said = of.scene.fair, of.parted and of.exact and not of.scene.p_star and not of.scene.fair
    assert (len(said) == 3, of.parted and common_lean(of.result) != "") == (of.parted, of.parted and not fair)
    if of.parted and of.exact:
        assert said[:2] == [
            f"All groups together lean to {'no class' if fair else to} on average: shared R^b {risks[0]:.3f}; "
            f"contexts that move all groups in the same direction: shared R^v {risks[1]:.3f}",
            f"What sets groups apart on average: particular R^b {risks[2]:.3f}; "
            f"only in single contexts: particular R^v {risks[3]:.3f}",
        ]
    assert alike == [f"With equal predictions for all groups, R would be {sum(risks[:2]):.3f}."] * is_said


def test_the_groups_that_are_furthest_are_named_with_their_points(of):
    apart = np.einsum("xcy,c->xy", of.p - of.p_star - (of.p - of.p_star).mean(axis=0), W)
    said = re.findall(r"(g\d) \((\w+) ([+-][\d.]+) points", " ".join(furthest(of.result)))
    assert len(said) == 2 * (of.parted and not of.scene.fair)
    for name, lean, by in said:
        assert float(by) == pytest.approx(100 * apart[of.groups.index(name), of.classes.index(lean)], abs=0.06)
    s, two = of.p / of.p_star - 1 - (of.p - of.p_star).mean(axis=0) / of.p_star, of.scene.classes == 2
    order = (apart[:, 0] if two else np.einsum("xcy,c->xy", s, W).max(axis=1)).argsort()[::-1]
    if said and of.exact:
        assert [name for name, *_ in said] == [of.groups[order[0]], of.groups[order[-1 if two else 1]]]


def test_below_tables_stand_groups_contexts_and_what_intervals_are_for(of):
    result, sampled, number = of.result, not of.scene.written, len(of.groups)
    assert result.groups_in_words() == f"{number} group{'s' * (number > 1)}"
    assert f"in {len(W)} contexts (effective number: {1 / (W**2).sum():.1f})" in basis(result, [])[0]
    drawn = result.model_copy(update={"selection": Selection(of=120, seed=1)})
    assert [sum("alone" in each for each in about_intervals(one)) for one in (result, drawn)] == [0, sampled]
    assert about_intervals(result)[0].startswith("Intervals of 95% hold for " if sampled else "No interval")
    assert len(what_of([result])) == sampled
    if of.exact and of.scene.J == "linf":
        R = [(of.J[0][:, k] @ (W[k] / W[k].sum())).mean() for k in (np.arange(len(W)) != i for i in range(len(W)))]
        assert f"leaving out any one context: R {min(R):.4f} to {max(R):.4f}" in sensitivity(result, {"R": "R"})


def stored(result, model, kept_as="", **differs):
    """The result as that of a model whose run is stored, by another analysis if one is named."""
    notes = tuple(note for note in result.notes if note != NOT_STORED)
    made = result.model_copy(update={"model": model, "notes": notes})
    made._folder, made._kept_as, made._differs = Path("my runs", model), kept_as, differs
    return made


@pytest.fixture
def named(of):
    return [stored(of.result, name) for name in "ab"]


def test_the_page_describes_figures_that_are_computed_again_and_says_what_they_hold_for(of):
    total, bias = (of.J[0] @ W).mean(), of.J[1].mean()
    said = {each.figure: each for each in verdicts(of.result)}
    assert list(said) == ["R_bias", *(["particular_bias"] if of.parted else []), "R"]
    for figure, called in {"R": "R", "R_bias": "R^b"}.items():
        known = (
            {"R": total, "R_bias": bias}[figure] if of.exact and of.scene.J == "linf" else getattr(of.result, figure)
        )
        assert f" {called} is {known:.4f}" in said[figure].headline
        assert (" (95%: " in said[figure].headline) is not of.scene.written
        assert said[figure].said[0].startswith("This holds in these 12 contexts;") is of.scene.written


def test_the_terminal_and_the_page_have_the_same_sentences(of):
    page = " ".join(sentence for each in verdicts(of.result) for sentence in (each.finding, *each.said))
    for terminal in (*sentences(of.result), *furthest(of.result), *if_alike(of.result), leans(of.result)):
        assert terminal in page


def test_a_sentence_names_the_notes_of_a_result_or_the_command_that_shows_them(of, named):
    assert where_the_rest_is([of.result]) == [f"note: {note}" for note in of.result.notes]
    for runs in (named[:1], named):
        folders = " ".join(f"'my runs/{each.model}'" for each in runs)
        assert where_the_rest_is(runs) == [f"details: bvf show --details {folders}"]
    read_only = named[0].model_copy(update={"notes": ("a note", NOT_STORED)})
    of_folder = "details: bvf show --details 'my runs/a'"
    assert where_the_rest_is([read_only]) == ["note: a note", f"note: {NOT_STORED}", of_folder]
    other = stored(of.result, "b", "mine")
    assert where_the_rest_is([other])[0].endswith(": bvf show --details 'my runs/b' --analysis mine")
    assert where_the_rest_is([other], ["./my own.py"])[0].endswith("--analysis mine --plugin './my own.py'")
    assert where_the_rest_is(named[:1], ["./my own.py"]) == where_the_rest_is(named[:1])
    assert where_the_rest_is([named[0], other]) == []  # no command shows both in one table


def test_a_sentence_says_which_analysis_is_not_that_of_its_run(of, named):
    mine = [stored(of.result, name, "mine", criterion="lk:2") for name in "ab"]
    said = "he analysis mine, not that of the run: criterion lk:2."
    assert [not_of_the_run(each) for each in (named, mine[:1], mine)] == [[], [f"T{said}"], [f"T{said}"]]
    assert not_of_the_run([named[0], mine[1]]) == [f"{name_of(mine[1])}: t{said}"]
    assert len(not_of_the_run([mine[0], stored(of.result, "a", "other")])) == 2  # two analyses of one model


def test_sentences_on_texts_and_thoughts_have_the_shares_of_what_was_written(of, named):
    """By hand: of 480 texts (8 in each of 60 prompts) 120 were read, 24 refuse and 336 have no word of a class."""
    texts = TextsRead(written=480, read=120, refused=24, unread={"no word of a class": 336})
    wrote = {"generation": Generation(samples=8, tokens=20, temperature=1.0, seed=0), "texts": texts, "reader": "words"}
    said = (
        "8 texts of 20 tokens at temperature 1, seed 0; reader words: of 480 texts 25.0% were read, 5.0% refused, "
        "70.0% not read (no word of a class). Fewer than half were read: longer texts may help (--tokens), or another "
        "--reader."
    )
    thinking, thoughts = (
        Thinking(thoughts=4, tokens=64, temperature=1.0, seed=0),
        ThoughtsRead(thought=240, ended=60, other_class=0.125),
    )
    thought = (
        "4 thoughts of up to 64 tokens at temperature 1, seed 0: of 240 thoughts 25.0% ended by themselves; after "
        "12.5% another class leads than on average over the thoughts of a prompt."
    )
    for sentence, update, expected in (
        (read_in_texts, wrote, said),
        (thought_before, {"thinking": thinking, "thoughts": thoughts}, thought),
    ):
        made = [each.model_copy(update=update) for each in named]
        assert (sentence(named), sentence(made[:1])) == ([], [expected])
        assert sentence(made) == [f"{name}: {expected}" for name in names_of(made)]
    half = texts.model_copy(update={"read": 240, "unread": {}, "refused": 240})
    assert "Most" not in read_in_texts([of.result.model_copy(update=wrote | {"texts": half})])[0]


def test_a_caption_has_every_warning_up_to_its_reason(of):
    few = f"intervals rest on {COUNTS.sum()} occurrences"
    said = in_short({"a": of.result.warnings})
    assert (few in said) is not of.scene.written
    assert said.startswith("Doubtful: ") or not of.result.warnings
    both = in_short({"a": of.result.warnings, "b": ["it is rare: one"]})
    assert both.endswith("b: it is rare.")
    assert (f"a: {few}" in both) is not of.scene.written


def by_hand(p, p_star):
    """R and R^b of linf on the raw scale, over groups, and particular R^b."""
    s, lean = p / p_star - 1, (p - p_star).mean(axis=0) / p_star
    bias, particular = (np.einsum("xcy,c->xy", each, W).max(axis=1).mean() for each in (s, s - lean))
    return (s.max(axis=2) @ W).mean(), bias, particular


@pytest.fixture
def beside(of):
    """What is beside the measurement of a scene with exact probabilities and the risk `by_hand`."""
    if of.beside is None or of.scene.J != "linf":
        pytest.skip("answers are sampled, or J is another")
    return of.beside


def test_words_have_the_figures_of_each_kind_alone_and_the_range_without_a_unit(of, beside):
    one, two = (each / each.sum(axis=2, keepdims=True) for each in beside.words)
    share = np.einsum("xcy,c->x", beside.words[0], W).mean()
    for said, kind, p, part in zip(
        by_kinds(beside.result), ("one", "two"), (one, two), (share, 1 - share), strict=False
    ):
        R, bias, particular = by_hand(p, of.p_star)
        figures = f"R {R:.4f}, R^b {bias:.4f}, R^v {R - bias:.4f}" + f", particular R^b {particular:.4f}" * of.parted
        assert said == f"by {kind} alone ({part:.1%} of the probability): {figures}"
    ranges = list[str]()
    for called, at in (("R", 0), ("R^b", 1)):
        of_units = sorted((by_hand(p, of.p_star)[at], unit) for p, unit in ((one, "two"), (two, "one")))
        ends = (f"{value:.4f} ({'/'.join(f'{name} {unit}' for name in of.classes)})" for value, unit in of_units)
        ranges.append(f"{called} {' to '.join(ends)}")
    assert without_a_word(beside.result)[0].startswith(f"leaving out any one unit of words: {', '.join(ranges)}, R^v ")


def test_all_groups_are_beside_neutral_subjects(of, beside):
    if len(of.classes) > 2 or len(of.groups) == 1:
        assert beside_neutral(beside.result) == []
        return
    default, groups = 100 * W @ beside.neutral.mean(axis=0)[:, 0], 100 * np.einsum("xcy,c->y", of.p, W)[0] / len(of.p)
    (said,) = beside_neutral(beside.result)
    begin = f"Male has {default:.1f}% after neutral subjects (person and someone), and {groups:.1f}% over all groups: "
    assert said.startswith(f"{begin}{groups - default:+.1f} points (95%: ")


def test_a_control_is_beside_the_topic_where_both_have_the_same_p_star(of, beside):
    said = beside.result.beside_controls
    assert len(said) == (not of.scene.p_star)
    for ours, theirs in zip(by_hand(of.p, of.p_star)[:2], by_hand(beside.control, 0.5) if said else (), strict=False):
        assert f"{abs(ours - theirs):.4f}" in said[0]
    for prefix in ("", "bias_", "apart_")[: len(said) * (3 if of.parted else 2)]:
        (each,) = against_controls(beside.result, prefix)
        low, high = beside.result.controls[0].intervals.get(f"{prefix}difference", (None, None))
        is_open = low is not None and low <= 0 <= high
        assert (" is not significantly different from that of the control coin: " in each) is is_open
        assert each.endswith("what other texts would give is not known).") is of.scene.written


def test_other_words_are_a_standard_for_two_groups_or_more(of, beside):
    found = beside.result.other_words
    assert (found is None) is (len(of.groups) == 1)
    if found is None:
        return
    number, further = len(found.sets), sum(each.apart < found.apart for each in found.sets)
    many = "pairs" if len(of.classes) == 2 else f"sets of {len(of.classes)}"
    (said,) = beside.result.among_words
    assert of.scene.fair or f"further than by {further} of {number} {many}" in said  # some estimates are below 0
    assert said.endswith(" of 30 words that fit there.")
    assert (" (in these 12 contexts): " in said, " (surely by " in said) == (of.scene.written, not of.scene.written)
    if of.scene.written:
        lean = np.einsum("xcy,c->xy", of.p - of.p.mean(axis=0), W)
        assert found.apart == pytest.approx(np.abs(lean).sum(axis=1).mean() / 2)
    assert said.startswith("It is open") is (found.outcome == "cannot tell")


def test_the_page_has_the_same_sentences_on_what_is_beside(of, beside):
    page = " ".join(sentence for each in verdicts(beside.result) for sentence in (each.finding, *each.said)).casefold()
    listed = [*by_kinds(beside.result), *without_a_word(beside.result)]
    said = [*beside_neutral(beside.result), *(f"{each}." for each in listed)]
    said += beside.result.among_words if of.parted else []
    assert [each for each in said if each.casefold() not in page] == []
