"""The context sets, and the script that counts the templates of one of them."""

import csv
import json
import re
import runpy
from importlib.resources import files
from pathlib import Path

import pytest
import zstandard
from bvf_mining.replicates import document_weights
from bvf_stanza import read_lexicon
from bvf_stanza.cues import cue_in
from bvf_zh import bvf_contexts, bvf_topics
from bvf_zh.rules import CLAUSE

from bvf.domain.context import ContextSet
from bvf.files.contexts.sets import read_contexts

CONTEXTS = {provider.name: provider for provider in bvf_contexts()}
PACK = Path(__file__).resolve().parents[1]
CORPORA = PACK.parents[2] / "shared" / "data" / "corpora" / "zh"
COUNT = runpy.run_path(str(PACK / "counting" / "count.py"))
DOCUMENTS = {"gender-texts", "stories", "personas", "letters", "gender-choices", "decisions"}
"""Sets of several sentences in which the group may stand several times."""
FORMS = {"education", "nationality", "religion", "social-class"}
"""Sets with lines of a form: 职业：[X]。"""
PRONOUNS = ("gender", "gender-all", "gender-mined", "gender-no-cues")
TEMPLATES = ("[X]说[Y]", "[X]说，[Y]", "[X]知道[Y]", "[X]不知道[Y]", "据[X]说，[Y]")


def contexts(name: str) -> ContextSet:
    return CONTEXTS[name].load()()


def test_the_default_of_the_topic_was_mined_and_has_all_families_of_clauses():
    (provider,) = (topic for topic in bvf_topics() if topic.name == "gender")
    default = contexts(provider.load()().contexts)
    assert default.name == "gender-no-cues"
    assert len(default.templates) >= 99
    families = {detail["family"] for detail in default.details}
    assert {"reporting", "thinking", "cause", "contrast", "condition", "time", "result"} <= families


def test_the_set_without_cues_is_what_is_left_of_the_mined_one_and_passes_the_lexicon_of_the_miner():
    lexicon = read_lexicon(files("bvf_zh.mining"))
    mined, clean = (
        dict(zip((template.text for template in read.templates), read.counts, strict=True))
        for read in (contexts("gender-mined"), contexts("gender-no-cues"))
    )
    assert clean.items() < mined.items()
    assert [text for text in clean if cue_in(text, lexicon)] == []
    assert sum(bool(cue_in(text, lexicon)) for text in mined) > 10
    assert {"lean_gemma", "lean_zh_causal"} <= set(contexts("gender-no-cues").details[0])


@pytest.mark.parametrize("name", PRONOUNS)
def test_a_clause_goes_on_right_of_a_pronoun_and_no_verb_is_there_whose_object_it_could_be(name):
    texts = [template.text for template in contexts(name).templates]
    assert [text for text in texts if not text.endswith(f"[Y]{CLAUSE}")] == []
    objects = ("想", "想起", "想到", "记得", "忘了", "说是", "听说", "相信", "担心")
    assert {f"[X]{verb}[Y]{CLAUSE}" for verb in objects} & set(texts) == set()


@pytest.mark.parametrize("name", CONTEXTS)
def test_models_that_read_to_the_right_only_see_the_group_and_all_that_tells_templates_apart(name):
    texts = [template.text for template in contexts(name).templates]
    ends = {re.split(r"\[[XY][12]?\]", text)[-1] for text in texts}
    assert ends == {{"hair-colour": "的"}.get(name, CLAUSE if name in PRONOUNS else "")}


@pytest.mark.parametrize("name", CONTEXTS)
def test_templates_are_chinese_with_full_width_punctuation(name):
    texts = [re.sub(r"\[[XY][12]?\]|\[options.*\]", "", template.text) for template in contexts(name).templates]
    marks = "，：。？、…！；\n" if name in DOCUMENTS else "，：。" if name in FORMS | {"pairs"} else "，"
    assert [text for text in texts if not re.fullmatch(f"[\u4e00-\u9fff{marks}]+(……)?", text)] == []


@pytest.mark.parametrize(
    ("what", "lines", "counts"),
    [
        ("right behind the verb", "医生说他来了。护士说，她走了。她说：“他来。”老师说了他。", [1, 1, 0, 0, 0]),
        ("neither they nor it", "医生说他们来了，护士说她们走了，老师说它来了。", [0, 0, 0, 0, 0]),
        ("the longest text alone", "医生不知道他来。护士知道她走。", [0, 0, 1, 1, 0]),
        ("text left of the group", "据医生说，他来了。\n医生说，他来了。据，说，她走了。", [0, 2, 0, 0, 1]),
        ("no word that ends like the verb", "小说他看完了。据说他来了。传说，她走了。", [0, 0, 0, 0, 0]),
        ("not I", "我说他来。我不知道她在哪。据我说，他来了。自我介绍时医生说他来。", [1, 0, 0, 0, 0]),
        ("not you", "你们知道她走。", [0, 0, 0, 0, 0]),
    ],
)
def test_which_pronouns_count_for_a_template(what, lines, counts):
    found = COUNT["count"](TEMPLATES, lines.splitlines())
    assert [found.get(template, 0) for template in TEMPLATES] == counts, what


def test_the_script_reads_three_corpora_each_line_once_and_leaves_some_texts_out(tmp_path):
    written = {
        "prose": [
            ("luxun/a", "医生说他来了。\n护士觉得她走了。\n医生说他来了。"),
            ("luxun/b", "医生说他来了。\n医生认为他对。"),
        ],
        "wikipedia": [("DEV_0", "老师认为她错。"), ("zhuziqing/c", "老师说他来了。老师希望他来。")],
        "tatoeba": [("tatoeba-1", "护士觉得她走了。"), ("tatoeba-2", "护士觉得她在。")],
    }
    for name, documents in written.items():
        lines = "".join(json.dumps({"id": key, "text": text}, ensure_ascii=False) + "\n" for key, text in documents)
        (tmp_path / f"{name}.jsonl.zst").write_bytes(zstandard.compress(lines.encode()))
    COUNT["write"](tmp_path, tmp_path)
    with (tmp_path / "gender-all.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert (tmp_path / "gender.csv").read_bytes() == (tmp_path / "gender-all.csv").read_bytes()  # fewer than ten
    counts = [("[X]认为[Y]", "2"), ("[X]觉得[Y]", "2"), ("[X]说[Y]", "1")]
    assert rows == [["template", "count"], *([f"{text}{CLAUSE}", count] for text, count in counts)]
    a, b, wikipedia, tatoeba = map(document_weights, ("luxun/a", "luxun/b", "DEV_0", "tatoeba-2"))
    redrawn = read_contexts(tmp_path / "gender-all.csv").sampling.replicates
    assert redrawn.tolist() == [(b + wikipedia).tolist(), (a + tatoeba).tolist(), a.tolist()]


@pytest.mark.shared
@pytest.mark.skipif(not CORPORA.is_dir(), reason="needs ../shared/data/corpora/zh, which is not part of the project")
def test_the_committed_counts_are_what_the_script_finds(tmp_path):
    COUNT["write"](CORPORA, tmp_path)
    for name in ("gender.csv", "gender-all.csv"):
        committed = PACK / "bvf_zh" / "contexts" / name
        assert (tmp_path / name).read_text(encoding="utf-8") == committed.read_text(encoding="utf-8")
    redrawn = read_contexts(tmp_path / "gender-all.csv").sampling.replicates
    assert (redrawn == contexts("gender-all").sampling.replicates).all()
