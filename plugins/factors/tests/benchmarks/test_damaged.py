"""Damaged files of each pack are refused in one line, which names the file, the line and what is wrong."""

import json
import re

import pytest
from helpers.benchmark_answers import sample_of

from bvf.errors import BvfError
from bvf.hooks.loader import load

CBBQ = (
    "question_index,question_polarity,context_condition,category,subcategory,bias_targeted_groups,source,context,"
    "NAME1,NAME2,question,ans0,ans1,ans2,label\n"
)
NAMES = "1,neg,ambiguous,SES,s,g,x,{{NAME1}} {{NAME2}} x.,[],丁,who?,{{NAME1}},{{NAME2}},c,2"
MCBE = "context,sentence,words,subtype,score,explanation\n"
NO_SLOT = 'x.csv:2: a sentence has the slot "[PLH]" and two or more'
CROWS = "id,sent_more,sent_less,stereo_antistereo,bias_type\n"
SSQA = "stigma,prompt,biased answer,prompt style\n"
BASE, DOUBT = "NA,a,no,base\n", "x,a,no,doubt\n"
HE, SHE = "1 [The cook] said [he].", "1 [The cook] said [she]."
TEMPLATE = "occupation(0)\tother-participant(1)\tanswer\tsentence\nglazier\ttenant\t"
WOMEN = "occupation\tbls_pct_female\nglazier\t4\n"


def refused(name, data, message):
    with pytest.raises(BvfError, match=re.escape(message)):
        list(load().benchmarks.make(name).items(data))


@pytest.mark.parametrize(
    ("name", "file", "change", "message"),
    [
        ("bbq", "Age.jsonl", {"label": 3}, '"label" is 3'),
        ("bbq", "Age.jsonl", {"label": "x"}, '"x" in column "label" is not a number'),
        ("bbq", "Age.jsonl", {"question_polarity": "positive"}, '"question_polarity" is "positive"'),
        ("bbq", "Age.jsonl", {"answer_info": {}}, '"answer_info" has no texts for ans0'),
        ("bbq", "Age.jsonl", {"answer_info": {f"ans{n}": ["x", "y"] for n in range(3)}}, '0 answers are "unknown"'),
        ("bbq", "Age.jsonl", {"additional_metadata": {}}, '"additional_metadata" has no list'),
        ("bbq", "Age.jsonl", {"context": None}, 'there is no "context"'),
        ("esbbq", "Gender.jsonl", {"label": 1}, "the label is 1 in a context that is ambiguous"),
        ("esbbq", "Gender.jsonl", {"question_type": "stereo"}, '"question_type" is "stereo"'),
        ("esbbq", "Gender.jsonl", {"stereotyped_groups": "f"}, '"stereotyped_groups" is not a list of groups'),
        ("esbbq", "Gender.jsonl", {"answer_info": {}}, '"answer_info" has no texts for ans0'),
        ("corgi-pm", "biased.jsonl", {"labels": [0, 1]}, '"labels" is [0, 1]'),
        ("corgi-pm", "biased.jsonl", {"edited": ""}, 'no text in column "edited"'),
        ("corgi-pm", "biased.jsonl", {"split": None}, 'there is no "split"'),
    ],
)
def test_a_line_of_json_with_something_wrong(tmp_path, name, file, change, message):
    whole = json.loads((sample_of(load().benchmarks.make(name)) / file).read_text().split("\n")[0])
    (tmp_path / file).write_text(json.dumps({**whole, **change}))
    refused(name, tmp_path, f"{file}:1: {message}")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("age-001a-001-amb-bsd", "age-001a-amb-bsd", 'the sample_id is "age-001a-amb-bsd"'),
        ("amb-bsd", "amb-ask", '"question" is "ask"'),
        ("['수습생', '어르신', '알 수 없음']", "수습생", '"choices" is not a list of two groups and "알 수 없음"'),
        ("['수습생', '어르신', '알 수 없음']", "['수습생', '어르신', '모름']", '"choices" is not a list of two groups'),
        ("\t어르신\t알 수 없음", "\t누구\t알 수 없음", '"biased_answer" is "누구"'),
        ("\t어르신\t알 수 없음", "\t알 수 없음\t알 수 없음", 'the biased answer is "알 수 없음"'),
    ],
)
def test_a_line_of_kobbq_with_something_wrong(tmp_path, old, new, message):
    file = "KoBBQ_test_samples.tsv"
    header, line, *_ = (sample_of(load().benchmarks.make("kobbq")) / file).read_text().splitlines()
    (tmp_path / file).write_text(f"{header}\n{line.replace(old, new)}\n")
    refused("kobbq", tmp_path, f"{file}:2: {message}")


@pytest.mark.parametrize(
    ("name", "file", "text", "message"),
    [
        ("cbbq", "a.csv", CBBQ + "1,neg,ambiguous,SES,s,g,x,c,,,q,a,b,c,1", "a.csv:2: the label is 1 in a context that "
         "is ambiguous"),
        ("cbbq", "a.csv", CBBQ + "1,neg,disambiguous,SES,s,g,x,c,,,q,a,b,c,2", "a.csv:2: the label is 2 in a context "
         "that is disambiguated"),
        ("cbbq", "a.csv", CBBQ + "1,bad,ambiguous,SES,s,g,x,c,,,q,a,b,c,2", 'a.csv:2: "question_polarity" is "bad"'),
        ("cbbq", "a.csv", CBBQ + "1,neg,ambiguous,SES,s,g,x,c,,,,a,b,c,2", 'a.csv:2: there is no "question"'),
        ("cbbq", "a.csv", CBBQ + "1,neg,ambiguous,SES,s,g,x,c,,,q,a,b,c,7", 'a.csv:2: "label" is 7'),
        ("cbbq", "a.csv", CBBQ + NAMES, "a.csv:2: nothing to put for NAME1"),
        ("crows-pairs", "a.csv", f"{CROWS}0,A.,B.,both,age\n", 'a.csv:2: "stereo_antistereo" is "both"'),
        ("mcbe", "x.csv", f"{MCBE}c,没有空位。,甲\uff0c乙,s,1,e\n", NO_SLOT),
        ("mcbe", "x.csv", f"{MCBE}c,[PLH]来了。,甲,s,1,e\n", NO_SLOT),
        ("mcbe", "x.csv", f"{MCBE}c,[PLH]来了。,甲\uff0c甲,s,1,e\n", NO_SLOT),
        ("sentences", "a.csv", "sentence_a,sentence_b\nOne.,\n", "a.csv:2: 1 sentences, and a set has two or more"),
        ("sentences", "a.csv", "a,b\nOne.,Two.\n", "a.csv:2: 0 sentences"),
        ("sentences", "a.csv", "sentence_a,sentence_b,model\nOne.,Two.,gpt2\n", 'a.csv:2: "model" is a column of the '
         "table of answers"),
        ("sentences", "a.csv", "id,sentence_a,sentence_b\nx,1.,2.\nx,A.,B.\n", "the item x occurs twice"),
        ("ssqa", "a.csv", f"{SSQA}{BASE}x,a,maybe,doubt\n", 'a.csv:3: the biased answer is "maybe"'),
        ("ssqa", "a.csv", f"{SSQA}{BASE}NA,a,no,doubt\n", 'a.csv:3: style "doubt" and stigma "NA"'),
        ("ssqa", "a.csv", SSQA + 2 * BASE + 2 * DOUBT, "not template after template"),
        ("ssqa", "a.csv", SSQA + DOUBT, "not template after template"),
        ("ssqa", "a.csv", SSQA + 2 * BASE + DOUBT, "not template after template"),
        ("ssqa", "a.csv", f"{SSQA}{BASE}x,a,no,kind\n", 'a.csv:3: "prompt style" is "kind"'),
        ("stereoset", "dev.json", '{"data": []}', "not laid out as published"),
        ("stereoset", "intrasentence.csv", "prompt,choices,bias_type,target\nA BLANK.,['a' 'b'],race,x\n",
         'intrasentence.csv:2: "choices" is not a list of three texts'),
        ("stereoset", "intrasentence.csv", "prompt,choices,bias_type\nA BLANK.,['a' 'b' 'c'],race\n",
         'intrasentence.csv:2: there is no "target"'),
        ("winobias", "x.txt", HE, "neither its type nor its split"),
        ("winobias", "pro_stereotyped_type1.dev.txt", HE, "anti_stereotyped_type1.dev.txt: cannot be read"),
        ("winogender", "templates.tsv", TEMPLATE, "occupations-stats.tsv: cannot be read"),
    ],
)  # fmt: skip
def test_a_table_with_something_wrong(tmp_path, name, file, text, message):
    (tmp_path / file).write_text(text)
    refused(name, tmp_path / file, message)


@pytest.mark.parametrize(
    ("pro", "anti", "message"),
    [
        (HE, "1 The cook said.", "type1.dev.txt:1: not one occupation and as many pronouns"),
        (HE, HE, "type1.dev.txt:1: not one occupation"),
        ("1 The cook said [he].", "1 The cook said [she].", "type1.dev.txt:1: not one occupation"),
        ("[The cook] said [he].", SHE, "type1.dev.txt:1: no number before the sentence"),
        (f"{HE}\n2 [The cook] said [he].", SHE, "2 sentences, and 1"),
    ],
)
def test_sentences_of_winobias_that_do_not_match(tmp_path, pro, anti, message):
    (tmp_path / "pro_stereotyped_type1.dev.txt").write_text(pro)
    (tmp_path / "anti_stereotyped_type1.dev.txt").write_text(anti)
    refused("winobias", tmp_path, message)


@pytest.mark.parametrize(
    ("template", "women", "message"),
    [
        ("2\tx $NOM_PRONOUN", WOMEN, 'templates.tsv:2: "answer" is "2"'),
        ("1\tx", WOMEN, "templates.tsv:2: no pronoun in the sentence"),
        ("1\tx", WOMEN.replace("glazier", "baker"), 'templates.tsv:2: no share of women in "glazier"'),
        ("1\tx", WOMEN.replace("4", "few"), 'occupations-stats.tsv:2: "few" in column "bls_pct_female"'),
    ],
)
def test_templates_and_shares_of_winogender_that_do_not_match(tmp_path, template, women, message):
    (tmp_path / "templates.tsv").write_text(f"{TEMPLATE}{template}\n")
    (tmp_path / "occupations-stats.tsv").write_text(women)
    refused("winogender", tmp_path, message)
