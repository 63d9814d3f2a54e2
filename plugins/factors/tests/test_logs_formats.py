"""Reads logs of other programs as rows.

The files in data/lm_eval were written by `EvaluationTracker` of lm-evaluation-harness 0.4.13 from two invented samples;
those in data/helm by the data classes of crfm-helm 0.5.16 from three invented requests (run_spec.json by hand).
data/inspect.* are a run of inspect-ai 0.3.285 with a model that always says A, without its events; the error of the
last sample is invented, and the archive has an entry that a later one replaces. data/every_eval_ever.jsonl is by hand,
after the schema and a file of its repository.
"""

import gzip
import json
import re
import shutil
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from bvf_factors.reading.logs import rows_of
from bvf_factors.reading.table import tabulate
from bvf_mining.corpora import COMPRESSIONS

from bvf import BvfError
from bvf.domain.factors import Declaration

DATA = Path(__file__).parent / "data"
SAMPLES = next((DATA / "lm_eval").glob("samples_*.jsonl"))
ITEM = {"id": 1, "answer_info": {"ans0": ["Ann", "woman"], "ans1": []}, "right": True}
FLAT = {"id": 1, "answer_info.ans0.0": "Ann", "answer_info.ans0.1": "woman", "answer_info.ans1": None, "right": True}


def values(source):
    return [row.values for row in rows_of(source)]


def refused(source, *parts):
    """Check that the error is one line that contains these parts in this order."""
    with pytest.raises(BvfError, match=".*".join(map(re.escape, parts))) as caught:
        list(rows_of(source))
    assert "\n" not in caught.value.message
    assert caught.value.hint or "not JSON" in str(caught.value)


def edited(tmp_path, source, change, line=None):
    """A copy of a JSON file, changed by ``change``; of JSON lines, one line of it is."""
    texts = source.read_text().splitlines() if line is not None else [source.read_text()]
    values = [json.loads(each) for each in texts]
    change(values[line or 0])
    copy = tmp_path / source.name
    copy.write_text("\n".join(map(json.dumps, values)))
    return copy


def with_values(**values):
    return lambda content: content.update(values)


def without(name):
    return lambda content: content.pop(name)


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet"])
def test_nested_values_become_columns_with_dots_in_every_kind_of_table(tmp_path, ending):
    file, line = tmp_path / f"items{ending}", (json.dumps(ITEM) + "\n").encode()
    if ending == ".parquet":
        pq.write_table(pa.Table.from_pylist([ITEM]), file)
    elif ending == ".jsonl.gz":
        file.write_bytes(gzip.compress(line))
    elif ending == ".jsonl.zst":
        file.write_bytes(pa.compress(line, codec="zstd", asbytes=True))
    else:
        file.write_bytes(b"\xef\xbb\xbf" + line)
    assert values(file) == [FLAT]


@pytest.mark.parametrize(("ending", "mark"), [(".csv", ","), (".tsv", "\t")])
def test_a_plain_table_stays_as_it_is(tmp_path, ending, mark):
    file = tmp_path / f"items{ending}"
    file.write_text(mark.join(["a.b", "c"]) + "\n" + mark.join(["1", "x"]) + "\n")
    assert values(file) == [{"a.b": "1", "c": "x"}]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        *(("items.xlsx", b""), ("items", b""), ("empty.jsonl", b""), ("none.jsonl", None), (".", None)),
        ("plain.json", b'{"a": 1}'),
        ("cut.jsonl.gz", gzip.compress(b'{"a": 1}\n', mtime=0)[:-9]),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_can_be(tmp_path, name, content):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    refused(tmp_path / name, str(tmp_path / name))


def test_two_columns_that_are_then_called_the_same_are_refused(tmp_path):
    (tmp_path / "items.jsonl").write_text('{"a": {"b": 1}, "a.b": 2}\n')
    refused(tmp_path / "items.jsonl", "items.jsonl:1", 'two columns are called "a.b"')


def test_samples_of_lm_evaluation_harness_have_task_model_and_choice():
    rows = list(rows_of(SAMPLES))
    assert [row.values["choice"] for row in rows] == [1, 0]
    about = {(row.values["model"], row.values["task"]) for row in rows}
    assert about == {("org/tiny", "crows_pairs_english_gender")}
    first = rows[0].values
    assert rows[0].where == f"{SAMPLES}:1"
    assert (first["doc.bias"], first["arguments.gen_args_1.arg_1"]) == ("gender", " choice 1")
    assert (first["pct_stereotype"], first["likelihood_diff"]) == (0.0, 1.25)


def test_samples_that_were_renamed_or_moved_say_no_more_than_they_know(tmp_path):
    moved, renamed = (values(shutil.copy(SAMPLES, tmp_path / name)) for name in (SAMPLES.name, "mine.jsonl"))
    assert "model" not in moved[0]
    assert moved[0]["task"] == "crows_pairs_english_gender"
    assert not {"model", "task"} & renamed[0].keys()
    assert [row["choice"] for row in renamed] == [1, 0]


NO_CHOICE = "none"


@pytest.mark.parametrize(
    ("responses", "metrics", "choice"),
    [
        ([["-1.5", "False"], ["-1.5", "True"], ["-3.0", "False"]], ["acc"], 0),
        ([["-9.0", "False"], ["-inf", "False"]], ["acc"], 0),
        ([[-9.0, False], [-2.0, True]], ["acc"], 1),
        ([["-5.0", "False"], ["-4.0", "False"], ["-1.0", "False"], ["-9.0", "False"]], ["acc", "acc_mutual_info"], 1),
        ([["nan", "False"], ["-1.0", "False"]], ["acc"], None),
        *((each, ["acc"], NO_CHOICE) for each in (["a text"], [["-1.0", "False"]], [["-1.0", "2"], ["-1.0", "3"]])),
        ([[10**400, "True"], [-1.0, "False"]], ["acc"], NO_CHOICE),
    ],
)
def test_the_choice_is_the_most_probable_answer_where_all_have_a_log_likelihood(tmp_path, responses, metrics, choice):
    file = edited(tmp_path, SAMPLES, with_values(filtered_resps=responses, metrics=metrics), line=0)
    assert values(file)[0].get("choice", NO_CHOICE) == choice


def test_a_damaged_sample_is_one_line(tmp_path):
    refused(edited(tmp_path, SAMPLES, without("target"), line=1), ":2", 'there is no "target"')
    refused(edited(tmp_path, SAMPLES, with_values(filtered_resps=3), line=0), ":1", "filtered_resps", "int")
    refused(edited(tmp_path, SAMPLES, with_values(task="x"), line=0), ":1", '"task" is "x" here')


@pytest.mark.parametrize("name", ["inspect.eval", "inspect.json"])
def test_a_log_of_inspect_has_a_row_for_each_sample_and_epoch(name):
    rows = values(DATA / name)
    assert [(row["id"], row["epoch"]) for row in rows] == [(1, 1), ("two", 1), (1, 2), ("two", 2)]
    assert [row["scores.choice.value"] for row in rows] == ["C", "I", "C", None]
    expected = {"task": "nurses", "model": "mockllm/model", "target": "A", "input": "Who is the nurse?"}
    expected |= {"output": "ANSWER: A", "choices.1": "He", "metadata.gender": "female", "metadata.doc.page": 3}
    expected |= {"scores.choice.answer": "A", "scores.counts.value.words": 1.0, "error": None, "invalidated": False}
    assert {name: rows[0][name] for name in expected} == expected
    assert rows[-1]["error"] == 'RuntimeError("the sandbox was gone")'


def test_a_sample_that_failed_is_missing_and_not_right():
    outcome = {"column": "scores.choice.value", "yes": ["I"]}
    declaration = Declaration.model_validate({"factors": {"gender": {"column": "metadata.gender"}}, "outcome": outcome})
    with pytest.raises(BvfError, match="two_epoch_2"):
        tabulate(rows_of(DATA / "inspect.eval"), declaration)
    assert tabulate(rows_of(DATA / "inspect.eval"), declaration, drop_missing=True).deviations().tolist() == [0, 1, 0]


def zipped(file, entries, compression=ZIP_DEFLATED):
    with ZipFile(file, "w", compression) as archive:
        for name, content in entries.items():
            archive.writestr(name, content if isinstance(content, bytes) else json.dumps(content))
    return file


def entries_of_log():
    log = json.loads((DATA / "inspect.json").read_text())
    samples = log.pop("samples")
    return {"header.json": log, **{f"samples/{s['id']}_epoch_{s['epoch']}.json": s for s in samples}}


@pytest.mark.parametrize("compression", [ZIP_DEFLATED, ZIP_LZMA])
def test_older_archives_are_read_as_new_ones(tmp_path, compression):
    assert values(zipped(tmp_path / "a.eval", entries_of_log(), compression)) == values(DATA / "inspect.eval")


def test_a_frame_of_zstandard_that_follows_another_is_read(tmp_path):
    """Inspect writes long samples as several frames."""
    from bvf_factors.reading.logs.inspect import opened

    halves = b'{"a": ' + b"1" * 50, b"2}"
    frames = b"".join(pa.compress(half, codec="zstd", asbytes=True) for half in halves)
    file = zipped(tmp_path / "a.eval", {"x.json": b"".join(halves)})
    with opened(file) as archive:
        info = archive.zip.getinfo("x.json")
        start = info.header_offset + 30 + len("x.json")
        info.compress_type, info.compress_size = 93, len(frames)
        content = file.read_bytes()
        with (tmp_path / "b.eval").open("w+b") as raw:
            raw.write(content[:start] + frames)
            archive.raw = raw
            assert archive.text("x.json").encode() == b"".join(halves)


@pytest.mark.parametrize("version", [1, "2"])
def test_another_version_of_the_log_is_refused(tmp_path, version):
    entries = entries_of_log()
    entries["header.json"]["version"] = version
    refused(zipped(tmp_path / "a.eval", entries), "a.eval, header.json", f"version {version!r}", "inspect-ai")
    refused(edited(tmp_path, DATA / "inspect.json", with_values(version=version)), f"version {version!r}")


@pytest.mark.parametrize("compression", [None, ZIP_BZIP2, ZIP_LZMA])
def test_every_damage_of_an_archive_is_one_line(tmp_path, compression):
    whole, file = (DATA / "inspect.eval").read_bytes(), tmp_path / "a.eval"
    for content in (b"", b"no zip", whole[: len(whole) // 2]):
        file.write_bytes(content)
        refused(file, "a.eval", "damaged or cut off")
    if compression:
        whole = zipped(file, entries_of_log(), compression).read_bytes()
    refusals, expected = [], values(DATA / "inspect.eval")
    for place in range(0, len(whole), 11):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            assert values(file) == expected
        except BvfError as error:
            refusals.append(error.message)
    assert not any("\n" in refusal for refusal in refusals)
    names = {refusal.partition(":")[0] for refusal in refusals}
    assert str(file) in names
    assert any(name.endswith("epoch_1.json") for name in names)


@pytest.mark.parametrize("name", ["a.eval", "a.jsonl.gz", "a.jsonl.bz2", "a.jsonl.zst"])
def test_a_file_that_unpacks_without_end_is_refused(tmp_path, name, monkeypatch):
    monkeypatch.setattr("bvf.files.parsing.ALWAYS_UNPACKED", 2**20)
    spaces, file = b" " * 2**23, tmp_path / name
    if name.endswith(".eval"):
        zipped(file, {"header.json": spaces})
    else:
        with pa.CompressedOutputStream(str(file), COMPRESSIONS[file.suffix]) as out:
            out.write(spaces)
    refused(file, name, "bytes unpack to more than")


def test_an_archive_without_what_it_needs_is_refused(tmp_path):
    entries, sample = entries_of_log(), {"id": 1, "epoch": 1, "input": ""}
    for message, changed in (
        ("no rows", {"header.json": entries["header.json"]}),
        ("not JSON", {**entries, "samples/1_epoch_1.json": b"{"}),
        ("not UTF-8", {**entries, "samples/1_epoch_1.json": b"\xff"}),
        ('there is no "target"', {**entries, "samples/1_epoch_1.json": sample}),
        ('"scores" is a list', {**entries, "samples/1_epoch_1.json": {**sample, "target": "", "scores": [1]}}),
        ("in pieces", {**entries, "samples/9_epoch_1/skeleton.json": {}}),
        ('"eval.model" is a int', {**entries, "header.json": {"version": 2, "eval": {"task": "t", "model": 3}}}),
    ):
        refused(zipped(tmp_path / "a.eval", changed), "a.eval", message)
    entries.pop("header.json")
    refused(zipped(tmp_path / "a.eval", entries), "a.eval", "header.json is not there")
    refused(edited(tmp_path, DATA / "inspect.json", without("samples")), 'there is no "samples"')
    refused(edited(tmp_path, DATA / "inspect.json", with_values(samples=[3])), "sample 1", "not an object")


def test_a_run_of_helm_has_a_row_for_each_request_with_its_statistics():
    for source in (DATA / "helm", DATA / "helm" / "scenario_state.json"):
        rows = values(source)
        expected = {
            "id": ["id0", "id0", "id1"],
            "perturbation": ["none", "gender", "none"],
            "completion": [" A", " B", " C"],
            "prediction": ["The nurse", "The pilot", None],
            "correct": ["The nurse", "The nurse", "The pilot"],
            "stats.exact_match": [1.0, 0.0, 0.0],
            "stats.logprob": [-0.5, -0.5, None],
        }
        assert {name: [row[name] for row in rows] for name in expected} == expected
        first = {"task": "bbq:subject=gender,model=openai_gpt2", "model": "openai/gpt2", "sub_split": None}
        first |= {"references.1.text": "The pilot", "references.0.tags.0": "correct", "logprob": -0.5}
        assert {name: rows[0][name] for name in first} == first


def test_the_right_answer_is_the_reference_with_that_tag(tmp_path):
    def tagged(state):
        first, second = state["request_states"][0]["instance"]["references"]
        first["tags"], second["tags"] = ["ungrounded"], ["x", "correct"]
        state["request_states"][2]["instance"]["references"][1]["tags"] = []

    file = edited(tmp_path, DATA / "helm" / "scenario_state.json", tagged)
    assert [row["correct"] for row in values(file)] == ["The pilot", "The nurse", None]


def test_a_state_of_helm_alone_has_no_statistics_and_a_request_that_failed_has_empty_cells(tmp_path):
    def failed(state):
        state["request_states"][0]["result"]["completions"] = []

    row = values(edited(tmp_path, DATA / "helm" / "scenario_state.json", failed))[0]
    assert not any(name == "task" or name.startswith("stats.") for name in row)
    assert [row[name] for name in ("completion", "logprob", "prediction")] == [None] * 3


def test_statistics_of_another_run_of_helm_or_with_two_values_are_refused(tmp_path):
    shutil.copytree(DATA / "helm", tmp_path, dirs_exist_ok=True)

    def elsewhere(entries):
        for entry in entries:
            entry["instance_id"] += "0"

    def twice(entries):
        other = json.loads(json.dumps(entries[0]))
        other["stats"][0]["mean"] = 0.25
        entries.append(other)

    for change, message in (
        (elsewhere, "has no instance of scenario_state.json"),
        (twice, '"exact_match" is 1.0 and 0.25'),
    ):
        edited(tmp_path, DATA / "helm" / "per_instance_stats.json", change)
        refused(tmp_path, "per_instance_stats.json", message)
    (tmp_path / "per_instance_stats.json").write_text("{}")
    refused(tmp_path, "per_instance_stats.json", "not a list")


def test_instances_of_every_eval_ever_are_read():
    rows = values(DATA / "every_eval_ever.jsonl")
    assert [row["evaluation.is_correct"] for row in rows] == [False, True]
    assert [row["metadata.gender"] for row in rows] == ["female", "male"]
    assert {(row["model"], row["task"]) for row in rows} == {("openai/gpt2", "bbq")}
    assert (rows[0]["output.raw.0"], rows[1]["messages.1.content"]) == (" The pilot.", "The pilot")


@pytest.mark.parametrize("version", ["instance_level_eval_0.1.0", 2])
def test_another_version_of_the_schema_is_refused(tmp_path, version):
    changed = edited(tmp_path, DATA / "every_eval_ever.jsonl", with_values(schema_version=version), line=1)
    refused(changed, "every_eval_ever.jsonl:2", "by the schema", str(version))


WRONG = (None, 3, ["x"], {"x": 1})


def with_one_wrong(value):
    """Yield copies of a JSON value, each of which is wrong in one place."""
    yield from WRONG
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            for wrong in with_one_wrong(value[key]):
                changed = value.copy()
                changed[key] = wrong
                yield changed
            less = value.copy()
            del less[key]
            yield less


@pytest.mark.parametrize(
    "name",
    [
        *("inspect.json", "every_eval_ever.jsonl", f"lm_eval/{SAMPLES.name}"),
        *("helm/scenario_state.json", "helm/per_instance_stats.json", "helm/run_spec.json"),
    ],
)
def test_whatever_is_wrong_in_a_log_is_no_traceback(tmp_path, name):
    source = DATA / name
    folder = tmp_path / "log"
    shutil.copytree(source.parent, folder)
    file, refusals = folder / source.name, []
    read = folder if name.startswith("helm") else file
    whole = json.loads(source.read_text().split("\n{")[0])
    if isinstance(whole, dict):
        del whole.get("samples", [])[1:-1], whole.get("request_states", [])[2:]  # which are as the first
    for wrong in with_one_wrong(whole):
        file.write_text(json.dumps(wrong))
        try:
            list(rows_of(read))
        except BvfError as error:
            refusals.append(error.message)
    assert len(refusals) >= 5
    assert all(str(folder) in refusal for refusal in refusals)
