"""Files of users with anything in them: either right, or one line that says what and where."""

import io
import json
import math
import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from helpers.topic_text import topic_text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bvf import BvfError, ContextSet, RunConfig, Template, read_contexts, read_topic
from bvf.files.contexts.sets import contexts_in
from bvf.files.table_files import read_group_weights, read_reference
from bvf.running.config import environment
from bvf.terminal.options import configs_of_models

CLASSES = ("male", "female")
CONTEXT = "The [X] said that [Y]"
READERS = {
    "contexts": read_contexts,
    "weights": read_group_weights,
    "reference": lambda file: read_reference(file, CLASSES),
}
TOPIC = topic_text({"violent": ["violent"], "calm": ["calm"]})
CONFIG = 'model = ["a", "b"]\ntopic = "gender"\nlimit_groups = 5\nwords = {male = ["he"]}\nplugin = ["./a.py"]\n'
EXAMPLES = {
    "contexts.csv": f'template,count\n{CONTEXT},2\n"The [X], a ""b"", is [Y]",0.5\n',
    "contexts.tsv": f"template\tcount\n{CONTEXT}\t2\n",
    "contexts.jsonl": json.dumps({"template": CONTEXT, "count": 2}) + "\n",
    "weights.csv": "group,weight\nnurse,1\nbaker,2e3\n",
    "weights.tsv": "group\tweight\nnurse\t1\n",
    "weights.jsonl": '{"group": "nurse", "weight": 0.5}\n',
    "reference.csv": "group,male,female\nnurse,0.1,0.9\n",
    "reference.tsv": "group\tmale\tfemale\nnurse\t0.1\t0.9\n",
    "reference.jsonl": '{"group": "nurse", "male": 0.5, "female": 0.5}\n',
    "topic.toml": TOPIC,
    "config.toml": CONFIG,
}


def parquet(rows):
    content = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), content)
    return content.getvalue()


WHOLE = {name: text.encode() for name, text in EXAMPLES.items()} | {
    "contexts.parquet": parquet([{"template": CONTEXT, "count": 2}]),
    "weights.parquet": parquet([{"group": "nurse", "weight": 1}]),
    "reference.parquet": parquet([{"group": "nurse", "male": 0.5, "female": 0.5}]),
}


def read(file):
    kind = file.name.split(".")[0]
    if kind == "topic":
        return read_topic(file)
    if kind == "config":
        return configs_of_models({}, file)
    return READERS[kind](file)


def is_right(value):
    """What came out of a file can be used."""
    if isinstance(value, ContextSet):
        assert math.isclose(value.weights().sum(), 1)
    for numbers in value.values() if isinstance(value, dict) else ():
        assert math.isfinite(numbers if isinstance(numbers, float) else numbers.sum())


def right_or_one_line(file):
    try:
        value = read(file)
    except BvfError as error:
        for text in (error.message, error.hint):
            assert "\n" not in text
            text.encode()
        return error.message
    is_right(value)
    return None


@pytest.mark.parametrize("name", WHOLE)
def test_a_good_file_is_read(tmp_path, name):
    (tmp_path / name).write_bytes(WHOLE[name])
    assert right_or_one_line(tmp_path / name) is None


@st.composite
def damaged(draw, whole):
    """A good file with some bytes put in, left out or doubled."""
    content = whole
    for _ in range(draw(st.integers(1, 3))):
        start, stop = sorted(draw(st.tuples(*[st.integers(0, len(content))] * 2)))
        put_in = draw(st.binary(max_size=6) | st.text(max_size=4).map(lambda t: t.encode("utf-8", "surrogatepass")))
        content = draw(
            st.sampled_from(
                [
                    content[:start] + put_in + content[start:],
                    content[:start] + put_in + content[stop:],
                    content[:stop] + content[start:stop] * 3 + content[stop:],
                ]
            )
        )
    return content


@pytest.mark.parametrize("name", WHOLE)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_bytes_are_right_or_one_line(tmp_path, name, data):
    content = data.draw(damaged(WHOLE[name]) | st.binary(max_size=60))
    (tmp_path / name).write_bytes(content)
    right_or_one_line(tmp_path / name)


CELLS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers(), max_size=2)
COLUMNS = st.sampled_from(["template", "T", "count", "frequency", "group", "weight", "male", "female", "x"])


@pytest.mark.parametrize("kind", READERS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.dictionaries(COLUMNS, CELLS, max_size=4), max_size=3), known=st.booleans())
def test_any_values_in_rows_are_right_or_one_line(tmp_path, kind, rows, known):
    file = tmp_path / f"{kind}.jsonl"
    whole = json.loads(EXAMPLES[f"{kind}.jsonl"])
    file.write_text("".join(json.dumps({**whole, **row} if known else row) + "\n" for row in rows))
    right_or_one_line(file)


VALUES = st.recursive(
    CELLS.filter(lambda cell: cell is not None), lambda inside: st.lists(inside, max_size=2), max_leaves=3
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(field=st.sampled_from([*RunConfig.model_fields, "no_such", ""]), value=VALUES)
def test_any_value_of_a_setting_is_right_or_one_line(tmp_path, field, value):
    file = tmp_path / "config.toml"
    try:
        file.write_text(f"{json.dumps(field)} = {json.dumps(value)}\n")
    except UnicodeEncodeError:
        return
    right_or_one_line(file)


def counted(count):
    """A line of JSON whose count is a text of one's own."""
    return f'{{"template": "{CONTEXT}", "count": {count}}}'


LONG_FIELD = "x" * 200_000
WRONG = [
    ("contexts.csv", f'template,count\n"{LONG_FIELD},1\n', r"contexts\.csv:\d+: not CSV: field larger than"),
    ("contexts.jsonl", "[" * 100_000, r"contexts\.jsonl:1: not JSON: nested too deeply"),
    (
        "contexts.jsonl",
        '{"template": "The [X] said that [Y]", "count": 1, "count": 9}',
        'jsonl:1: the key "count" occurs twice',
    ),
    ("contexts.jsonl", counted("1" * 400), '"a very large number" in column'),
    ("contexts.jsonl", counted("true"), '"True" in column "count" is not a number'),
    ("contexts.jsonl", counted('"\uff11"'), '"\uff11" in column "count" is not a number'),
    ("contexts.csv", f"template,count\n{CONTEXT},1_000\n", '"1_000" in column "count" is not a number'),
    ("contexts.csv", f"template,count\n{CONTEXT},1e308\nThe [X] is [Y],1e308\n", "too large to be added up"),
    ("weights.csv", "group,weight\nnurse,1e308\nbaker,1e308\n", r"weights\.csv: the weights are too large"),
    ("weights.csv", "group,weight\nnurse,-1\n", r"weights\.csv:2: the weight is -1"),
    ("weights.csv", "group,weight\nnurse,0\n", "all weights are zero"),
    ("weights.csv", "group,weight\nnurse,1\nnurse,1\n", r'weights\.csv:3: the group "nurse" occurs twice'),
    ("reference.csv", "group,male,female\nnurse,0.2,0.9\n", r"csv:2: male 0\.2, female 0\.9 is not a distribution"),
    ("reference.csv", "group,male,female\nnurse,0,1\n", r"csv:2: male 0, female 1 is not a distribution"),
    ("contexts.csv", "", r"contexts\.csv: no rows"),
    ("weights.csv", "group,weight\n", r"weights\.csv: no rows"),
    ("contexts.csv", f"template,count,count\n{CONTEXT},1,2\n", '2 columns are called "count"'),
    ("topic.toml", TOPIC.replace('"baker"', '"[Y]"'), r'the group "\[Y\]" has a slot in it'),
    ("topic.toml", TOPIC.replace('"baker"', '"old [X]"'), "has a slot in it"),
    ("topic.toml", TOPIC.replace("[measurement]", '[truth]\n"a\\nb" = "calm"\n[measurement]'), 'the group "a b"'),
    ("topic.toml", "a = " + "[" * 100_000, r"topic\.toml: not TOML: nested too deeply"),
    ("config.toml", 'model = [["a"]]', "model is .*valid string"),
    ("config.toml", '[[model]]\nname = "a"\n[[model]]\nname = "a"\nsystem = "b"', 'the model "a" occurs 2 times'),
    ("config.toml", '[[model]]\nname = "a"\ndtpye = "float32"', 'model "a": there is no setting "dtpye".*\n.*dtype'),
    ("config.toml", '[[model]]\nname = "a"\ntopic = "race"', 'model "a": topic is the same for all models'),
    ("config.toml", '[[model]]\nname = "a"\ntolerance = 2', 'model "a": tolerance is "2"'),
    ("config.toml", "tolerance = 1e-9", r'tolerance is "1e-09": float32 rounds .* write 1e-05 or more, or 0'),
    ("config.toml", "contexts = []", "contexts is an empty list"),
    *(("config.toml", f"contexts = {value}", "contexts is .*a name, a file or a") for value in
      ('[["a"]]', "[{a = 1}]", "[1]")),
    ("config.toml", "words = [1]", "words is"),
    ("config.toml", 'words = ["male"]', "names no words"),
    ("config.toml", "limit_groups = true", "not true or false"),
    ("config.toml", "tolerance = false", 'tolerance is "False": Input should be a valid number'),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "message"), WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_is_said_with_its_place(tmp_path, name, content, message):
    (tmp_path / name).write_text(content)
    with pytest.raises(BvfError, match=message) as error:
        read(tmp_path / name)
    assert len(error.value.message) < 300


@pytest.mark.parametrize("name", WHOLE)
def test_a_pipe_is_no_file(tmp_path, name):
    os.mkfifo(tmp_path / name)
    assert "is not a file" in right_or_one_line(tmp_path / name)


def test_a_line_may_have_separators_of_other_kinds_in_it(tmp_path):
    template = "The [X] \u2028\u2029\u0085 [Y]"
    (tmp_path / "contexts.jsonl").write_text(
        json.dumps({"template": template, "count": 1}, ensure_ascii=False) + "\r\n"
    )
    assert read_contexts(tmp_path / "contexts.jsonl").templates[0].text == template


def test_numbers_of_every_usual_form_are_read(tmp_path):
    numbers = ["1", "1.5", ".5", "2.", "1e3", "+1", " 7 ", "\x1c8", "1E-2"]
    rows = "".join(f"The [X] {i} [Y],{number}\n" for i, number in enumerate(numbers))
    (tmp_path / "contexts.csv").write_text(f"template,count\n{rows}")
    assert read_contexts(tmp_path / "contexts.csv").counts == (1, 1.5, 0.5, 2, 1000, 1, 7, 8, 0.01)


@pytest.mark.parametrize(
    ("texts", "counts", "message"),
    [
        (["a", "b"], (1.0,), "2 templates and 1 counts"),
        (["a"], (1.0, 2.0), "1 templates and 2 counts"),
        (["a", "b", "a"], (1.0, 2.0, 3.0), "occurs 2 times"),
        (["a", "b"], (1e308, 1e308), "too large"),
        (["a"], (math.inf,), "is inf"),
    ],
)
def test_a_context_set_has_distinct_templates_and_a_count_for_each(texts, counts, message):
    templates = tuple(Template(f"The [X] {text} [Y]") for text in texts)
    with pytest.raises(BvfError, match=f"^mine: .*{message}"):
        ContextSet("mine", templates, counts)


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        (None, "not there"),
        ("", "does not say where age.csv is from"),
        ("age = 1", "does not say where"),
        ('[age]\nsource = " "', "does not say where"),
        ("[age", "not TOML"),
        ("\xff", "not UTF-8"),
    ],
)
def test_a_context_set_of_a_folder_says_where_it_is_from(tmp_path, sources, message):
    (tmp_path / "age.csv").write_bytes(WHOLE["contexts.csv"])
    if sources is not None:
        (tmp_path / "sources.toml").write_bytes(sources.encode("latin-1"))
    (provider,) = contexts_in(tmp_path, "en")
    with pytest.raises(BvfError, match=message) as error:
        provider.load()()
    assert str(tmp_path / "sources.toml") in str(error.value)
    if "TOML" not in message and "UTF" not in message:
        assert '["age"] and source = ' in error.value.hint
    (tmp_path / "sources.toml").write_text('["age"]\nsource = "a corpus"')
    assert provider.load()().source == "a corpus"


@pytest.mark.parametrize("record", [b"{", b"[]", b"\xff", b"[" * 100_000, b'{"corpus": {"source": "\\ud800"}}', b"1"])
def test_a_record_beside_a_set_that_is_none_is_passed_over(tmp_path, record):
    (tmp_path / "c.csv").write_bytes(WHOLE["contexts.csv"])
    (tmp_path / "c.mining.json").write_bytes(record)
    assert read_contexts(tmp_path / "c.csv").source == str(tmp_path / "c.csv")


@pytest.mark.parametrize("field", ["out", "model", "system", "topic", "contexts", "plugin", "words"])
def test_what_is_no_text_is_refused_before_a_run(field):
    value = {"plugin": ["a\udcff"], "words": ["male=\udcff"]}.get(field, "a\udcff")
    told = "backend_options" if field == "system" else field
    with pytest.raises(BvfError, match=f"options: {told} is .*: not UTF-8"):
        RunConfig.checked({field: value}, "options")


def test_every_setting_can_be_set_in_the_environment(monkeypatch):
    monkeypatch.setenv("BVF_PLUGIN", "one, ./two.py")
    monkeypatch.setenv("BVF_WITHOUT", "three")
    monkeypatch.setenv("BVF_WORDS", "male=he,him;female=she")
    monkeypatch.setenv("BVF_LIMIT_GROUPS", "5")
    (config,) = configs_of_models({}, None)
    assert (config.plugin, config.without, config.limit_groups) == (("one", "./two.py"), ("three",), 5)
    assert config.words == {"male": ("he", "him"), "female": ("she",)}
    monkeypatch.setenv("BVF_WORDS", ";")
    assert environment()["words"] == []
