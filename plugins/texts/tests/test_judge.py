"""A judge with a known error: texts are judged once, and risks are corrected for it."""

import json
from pathlib import Path

import pytest
from bvf_texts import misread
from bvf_texts.kept import JUDGEMENTS

import bvf
from bvf.domain.context import Sampling
from bvf.errors import BvfError
from bvf.hooks.loader import load
from bvf.running.verify import problems_in

PLUGIN = str(Path(__file__).resolve().parents[3] / "tests" / "data" / "judging_plugin.py")
FILE = f"""
model = "wrong:judge"
plugin = ["{PLUGIN}"]
question = "Text: [text] Is it about a man or a woman?"
labelled = "labelled.csv"

[answers]
male = ["man"]
female = ["woman"]
"""


def written(folder, each=300, file=FILE, group=lambda label, number: ""):
    """The file of the judge, beside labelled texts whose numbers are spread evenly: errors of 10 % and 20 %."""
    numbers = [index * 10_000 // each for index in range(each)]
    rows = [f"{said} left at {n},{label},{group(label, n)}" for said, label in TOLD for n in numbers]
    (folder / "labelled.csv").write_text("\n".join(["text,label,group", *rows, "He or she left at 9,,", ""]))
    (folder / "judge.toml").write_text(file)
    return f"judge:{folder / 'judge.toml'}"


TOLD = (("she", "female"), ("he", "male"))


def run(folder, reader, **choices):
    asked = {"model": "telling:known", "plugin": PLUGIN, "reading": "generated", "samples": 20}
    texts = tuple(bvf.Template(f"The [X] of day {day} is {('even', 'odd')[day % 2]} [Y]") for day in range(40))
    contexts = bvf.ContextSet("days", texts, (1.0,) * 40, "made", sampling=Sampling())
    return bvf.run(**asked, contexts=contexts, groups=("nurse", "cook"), reader=reader, out=str(folder), **choices)


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """Few matrices are drawn for it: each takes an analysis, and no figure changes with their number."""
    folder = tmp_path_factory.mktemp("judged")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(misread, "DRAWS", 20)
        yield run(folder / "run", written(folder))


def test_risks_are_those_of_the_texts_and_not_those_of_the_judgements(result):
    """Of a nurse 2p - 1 is 0.8 and 0 by context: r = r^b = 0.4. Judged *female* are 0.83 and 0.55 of texts."""
    cook, nurse = result.groups
    for group, truth in ((nurse, 0.4), (cook, 0.0)):
        assert (group.r_bias, group.r) == pytest.approx((truth, truth), abs=0.08)
        assert group.intervals["r_bias"].low <= truth <= group.intervals["r_bias"].high
    assert nurse.mean_probabilities["female"] == pytest.approx(0.7, abs=0.05)
    plain = run(Path(result.folder).parent / "plain", "first-word")
    assert result.R_bias == pytest.approx(plain.R_bias, abs=0.05)
    assert wider(result, plain)


def wider(one, other):
    """Whether the interval of R^b of one result is wider than that of another."""
    ours, theirs = (each.uncertainty.intervals["R_bias"] for each in (one, other))
    return ours.high - ours.low > theirs.high - theirs.low


def test_the_error_is_counted_stored_and_said(result):
    error = bvf.read_result(result.folder).texts.error
    assert error.counts == {"male": {"male": 240, "female": 60}, "female": {"male": 30, "female": 270}}
    assert (error.without_class, error.added, error.unread) == (1, 1, 0)
    said = "corrected for errors of reading: of 600 labelled texts male was read wrongly in 20.0%, female in 10.0%"
    assert any(said in note for note in result.notes)
    assert any("below 0 or above 1" in note for note in result.notes)


def test_texts_are_judged_once(result, tmp_path, monkeypatch):
    monkeypatch.setenv("JUDGED", str(tmp_path / "count"))
    assert list(problems_in(Path(result.folder), load(extra=PLUGIN))) == []
    again = bvf.analyse(result.folder, criterion="tv")
    assert again.texts == result.texts
    assert not (tmp_path / "count").exists()
    (kept,) = (Path(result.folder) / JUDGEMENTS).glob("*.json")
    content = kept.read_text()
    judged = json.loads(content)["read"]
    assert set(judged.values()) == {"male", "female"}
    text = next(text for text in judged if judged[text] == "male")
    kept.write_text(json.dumps({**json.loads(content), "read": {**judged, text: "female"}}))
    (problem,) = problems_in(Path(result.folder), load(extra=PLUGIN))
    assert "judgements" in problem
    assert "not as it was written" in problem
    kept.unlink()
    with pytest.raises(BvfError, match="is not opened"):
        bvf.analyse(result.folder, criterion="tv")
    assert not (tmp_path / "count").exists()
    again = bvf.analyse(result.folder, criterion="tv", reader=result.reader)
    assert again.texts == result.texts
    labelled_without_class = 1
    assert sum(map(int, (tmp_path / "count").read_text().split())) == len(judged) + labelled_without_class - 1
    kept.write_text(content)


def test_another_judge_under_the_same_name_is_asked(result, tmp_path, monkeypatch):
    """The judge's weights, settings and question are part of what its judgements are kept by."""
    reader = written(tmp_path)
    bvf.analyse(result.folder, reader=reader)
    monkeypatch.setenv("JUDGED", str(tmp_path / "count"))
    bvf.analyse(result.folder, reader=reader)
    assert not (tmp_path / "count").exists()
    written(tmp_path, file=FILE.replace("Is it about", "Is this about"))
    bvf.analyse(result.folder, reader=reader)
    assert (tmp_path / "count").exists()


def test_an_error_that_differs_between_groups_is_a_warning(result, tmp_path):
    reader = written(tmp_path, group=lambda label, n: "cook" if n < 3000 else "nurse")
    unequal = bvf.analyse(result.folder, reader=reader)
    assert any("error differs between groups of the labelled texts" in each for each in unequal.warnings)
    reader = written(tmp_path, group=lambda label, n: "cook" if n % 3 else "nurse")
    equal = bvf.analyse(result.folder, reader=reader)
    assert any("no difference of the reader's error" in each for each in equal.notes)


WORDS = '["man"]\nfemale = ["woman"]'


@pytest.mark.parametrize(
    ("change", "each", "message"),
    [
        (("[text] ", ""), 300, "question is .* it needs \\[text\\] once"),
        (('female = ["woman"]', ""), 300, "answers: no words for the class female"),
        ((WORDS, WORDS + '\nboth = ["x"]'), 300, 'answers: there is no class "both"'),
        (('["man"]', str(["a"] * 1000)), 300, "answers is .* 1,000 words at most answer a question, of 100 letters at"),
        (('["man"]', f'["{"a" * 101}"]'), 300, "answers is .* 1,000 words at most answer a question, of 100 letters"),
        (("labelled.csv", "none.csv"), 300, "none.csv"),
        (("", ""), 9, "9 labelled texts of male were read as a class"),
        ((WORDS, '["a"]\nfemale = ["b"]'), 300, "it reads hardly better than chance"),
    ],
)
def test_a_judge_that_does_not_fit_is_one_line(result, tmp_path, change, each, message):
    with pytest.raises(BvfError, match=message):
        bvf.analyse(result.folder, reader=written(tmp_path, each, FILE.replace(*change)))


def test_a_judge_that_is_mostly_wrong_tells_as_much_as_one_that_is_mostly_right(result, tmp_path):
    reader = written(tmp_path, file=FILE.replace(WORDS, '["woman"]\nfemale = ["man"]'))
    turned = bvf.analyse(result.folder, reader=reader)
    assert turned.groups[1].mean_probabilities["female"] == pytest.approx(0.7, abs=0.05)


def test_the_first_word_is_corrected_by_labelled_texts_as_a_judge_is(result, tmp_path):
    """A fifth of the labelled texts with *he* is of female: shares are corrected for that."""
    folder, file = result.folder, tmp_path / "mine.csv"
    told = [f"he left at {n},{'female' if n < 10 else 'male'}" for n in range(50)] + ["she left,female"] * 30
    file.write_text("\n".join(["text,label", *told, "he or she left,male", "he left,"]))
    corrected = bvf.analyse(folder, reader=f"first-word:{file}")
    error = corrected.texts.error
    assert error.counts == {"male": {"male": 40, "female": 0}, "female": {"male": 10, "female": 30}}
    assert (error.unread, error.without_class, error.added) == (1, 1, 1)
    plain = bvf.analyse(folder, reader="first-word")
    female = plain.groups[1].mean_probabilities["female"]
    assert corrected.groups[1].mean_probabilities["female"] == pytest.approx(min(1.0, female / 0.75), abs=0.02)
    assert wider(corrected, plain)
    assert any(note.startswith("intervals leave out the error of the reader first-word") for note in plain.notes)
    assert not any(note.startswith("intervals leave out") for note in corrected.notes)
    file.unlink()  # what was read is kept, and no file that a result names is opened
    assert list(problems_in(Path(folder), load(extra=PLUGIN))) == []
    file.write_text("text,label\nhe left,man")
    with pytest.raises(BvfError, match='the label "man" is not a class'):
        bvf.analyse(folder, reader=f"first-word:{file}")
