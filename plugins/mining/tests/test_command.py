"""``bvf mine`` and ``bvf contexts`` as processes, with the bundled parsers and with bad input."""

import csv
import json
import subprocess
from pathlib import Path

import pytest
from helpers.warm import warm_bvf

TOY_MINER = str(Path(__file__).resolve().parents[3] / "tests" / "data" / "toy_miner.py")
ENGLISH = """The nurse said that she was tired. It rained.

The plumber says he will come on Tuesday. All day the rain fell on the roofs of the town and on the road to the station,
and all the trains were late again. The engineer claimed he had seen the report.

Nobody came."""
CHINESE = "医生说他明天不来了。\n\n护士承认她错了。天气很好。\n"


@pytest.fixture
def bvf(tmp_path, environment):
    def call(*arguments, stdin=None, **extra):
        return subprocess.run(
            [*warm_bvf(), *map(str, arguments)],
            cwd=tmp_path,
            env={**environment, **extra},
            capture_output=True,
            input=stdin,
            text=True,
            timeout=180,
        )

    return call


def templates(file):
    with file.open(newline="", encoding="utf-8") as content:
        return {row["template"]: int(row["count"]) for row in csv.DictReader(content)}


def error_of(process):
    assert process.returncode == 2, process.stderr
    assert "Traceback" not in process.stderr
    lines = [line for line in process.stderr.splitlines() if not line.endswith("skipped")]
    assert lines[0].startswith("error: ")
    assert len(lines) <= 2
    return "\n".join(lines)


def test_english_from_a_text_file_to_a_run(bvf, tmp_path):
    (tmp_path / "corpus.txt").write_text(ENGLISH)
    process = bvf("mine", "corpus.txt", "--topic", "gender", "-o", "mine.csv", "--workers", "1")
    assert process.returncode == 0, process.stderr
    assert templates(tmp_path / "mine.csv") == {"The [X] said that [Y]": 2, "The [X] claimed that [Y]": 1}
    assert "6 sentences" in process.stdout
    assert "more template" not in process.stdout
    assert "\nnext:     bvf run --topic gender --contexts mine.csv\n" in process.stdout
    ran = bvf(
        "run",
        "--model",
        "baseline:unbiased",
        "--contexts",
        "mine.csv",
        "--contexts",
        "gender",
        "--format",
        "json",
        "-q",
    )
    assert [result["contexts"] for result in json.loads(ran.stdout)] == ["mine.csv", "gender"]


def test_chinese_from_standard_input(bvf, tmp_path):
    process = bvf("mine", "-", "--lang", "zh", "-o", "zh.csv", "--workers", "1", stdin=CHINESE)
    assert process.returncode == 0, process.stderr
    assert templates(tmp_path / "zh.csv") == {"[X]承认[Y]已经……": 1, "[X]说[Y]已经……": 1}
    assert "\nnext:     bvf run --lang zh --contexts zh.csv\n" in process.stdout


def test_a_row_a_source(bvf, tmp_path):
    for name, verb in (("book", "said"), ("web", "wrote")):
        (tmp_path / f"{name}.txt").write_text(f"The nurse {verb} that she left.")
    process = bvf("mine", "book.txt", "web.txt", "-o", "sets", "--plugin", TOY_MINER, "--workers", "1", "-q")
    assert process.returncode == 0, process.stderr
    assert "--contexts sets/book.csv\n\nheaviest templates\n" in process.stdout
    assert "1 kept; none dropped\n" in process.stdout
    table = bvf(
        *("run", "--model", "baseline:stereotyped", "--contexts", "sets/book.csv", "--contexts", "sets/web.csv"),
        *("-q", "--out", "results"),
    )
    assert "A: baseline:stereotyped, book" in table.stdout
    assert "B: baseline:stereotyped, web" in table.stdout
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == ["sets-book.csv", "sets-web.csv"]


def test_merge_compare_and_show(bvf, tmp_path):
    (tmp_path / "a.csv").write_text("template,count\nThe [X] said that [Y],3\nThe [X] knew [Y],1\n")
    (tmp_path / "b.csv").write_text("template,count\nThe [X] said that [Y],1\nThe [X] left [Y],1\n")
    assert bvf("contexts", "merge", "a.csv", "b.csv", "-o", "all.csv").returncode == 0
    assert templates(tmp_path / "all.csv") == {"The [X] said that [Y]": 4, "The [X] knew [Y]": 1, "The [X] left [Y]": 1}
    told = json.loads(bvf("contexts", "compare", "a.csv", "b.csv", "--format", "json").stdout)
    assert (told["shared"], told["shared_weight"]) == (1, [0.75, 0.5])
    assert "The [X] said that [Y]" in bvf("contexts", "show", "all.csv").stdout


def sample_of(bvf, name):
    return json.loads(bvf("contexts", "show", name, "--format", "json").stdout)["sample"]


def shown_of(bvf, name):
    return " ".join(bvf("contexts", "show", name).stdout.split())


def test_mined_sets_say_what_sample_they_are_also_when_cut_and_merged(bvf, tmp_path):
    texts = [
        "The nurse said that she left {}. The cook said that he left {}.",
        "The cook knew that he left {}. It rained.",
    ]
    for name, number in (("a", 3), ("b", 2)):
        rows = [json.dumps({"id": f"{name}{n}", "text": texts[n % 2].replace("{}", str(n))}) for n in range(number)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(rows))
        mining = bvf("mine", f"{name}.jsonl", "-o", f"{name}.csv", "--plugin", TOY_MINER, "--workers", "2", "-q")
        assert mining.returncode == 0, mining.stderr
    assert sample_of(bvf, "a.csv") == {
        **{"written": False, "cut": False, "occurrences": 5, "documents": 3, "share": 1, "replicates": 200},
        **{"capped_at": None, "unseen": 0.2},
    }
    assert "sample: all 5 occurrences in 3 documents of its source; 20.0% of those in more" in shown_of(bvf, "a.csv")
    assert bvf("contexts", "merge", "a.csv", "b.csv", "-o", "all.csv").returncode == 0
    merged = sample_of(bvf, "all.csv")
    assert (merged["occurrences"], merged["documents"], merged["replicates"]) == (8, 5, 200)
    lines = (tmp_path / "a.csv").read_text().splitlines(keepends=True)
    (tmp_path / "a.csv").write_text("".join(lines[:2]))
    cut = sample_of(bvf, "a.csv")
    assert (cut["occurrences"], cut["share"], cut["unseen"]) == (5, 0.8, None)
    assert "sample: 80.0% of the 5 occurrences in 3 documents of its source" in shown_of(bvf, "a.csv")
    (tmp_path / "a.csv").write_text("".join(lines).replace(",4,", ",3,"))
    assert 'a.replicates.parquet: the count of "The [X] said that [Y]" is 4' in error_of(
        bvf("contexts", "show", "a.csv")
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("weekday", "sample: none: the counts were chosen, not counted"),
        ("gender-table8", "sample: a part of its source; how much is left out is not known"),
        ("gender", "sample: 19.7% of the 9,318 occurrences in 562 documents of its source"),
    ],
)
def test_sets_that_are_no_whole_sample_say_so(bvf, name, said):
    assert said in shown_of(bvf, name)


BAD = {
    "stanza": (["en.txt", "-M", "stanza=nowhere"], "-M stanza=nowhere: no resources.json there"),
    "column": (["c.jsonl", "--text-column", "words"], 'the first is c.jsonl:1: no text in "words"'),
    "no number": (["en.txt", "--min-confidence", "nan"], '--min-confidence is "nan"'),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line(bvf, tmp_path, case):
    (tmp_path / "c.jsonl").write_text('{"text": "It rained."}\nnot json\n{"text": ""}\nnot json\n')
    (tmp_path / "en.txt").write_text(ENGLISH)
    arguments, said = BAD[case]
    toy = [] if case == "stanza" else ["--plugin", TOY_MINER]
    assert said in error_of(bvf("mine", *arguments, "-o", "s.csv", *toy, "--workers", "1"))
    assert not (tmp_path / "s.csv").exists()


def test_a_file_says_what_to_mine_and_options_win_over_it(bvf, tmp_path):
    (tmp_path / "en.txt").write_text(ENGLISH)
    lines = ('corpus = "en.txt"', 'out = "file.csv"', f'plugin = ["{TOY_MINER}"]', "workers = 1", "examples = false")
    (tmp_path / "mine.toml").write_text("\n".join(lines))
    assert bvf("mine", "--config", "mine.toml").returncode == 0
    assert templates(tmp_path / "file.csv") == {"The [X] said that [Y]": 1}
    assert "example" not in (tmp_path / "file.csv").read_text().splitlines()[0]
    (tmp_path / "other.txt").write_text("The nurse wrote that she left.")
    assert bvf("mine", "other.txt", "--config", "mine.toml", "-o", "options.csv").returncode == 0
    assert templates(tmp_path / "options.csv") == {"The [X] wrote that [Y]": 1}


def test_options_of_the_miner_are_a_table_of_the_file(bvf, tmp_path):
    (tmp_path / "en.txt").write_text(ENGLISH)
    (tmp_path / "mine.toml").write_text(
        'corpus = ["en.txt"]\nout = "s.csv"\nworkers = 1\n[miner]\nstanza = "nowhere"\n'
    )
    assert "-M stanza=nowhere: no resources.json there" in error_of(bvf("mine", "--config", "mine.toml"))
    chosen = bvf("mine", "--config", "mine.toml", "-M", "stanza=elsewhere")
    assert "-M stanza=elsewhere: no resources.json there" in error_of(chosen)


BAD_FILES = {
    "unknown": ('topc = "gender"', 'mine.toml: there is no setting "topc"', "did you mean topic"),
    "wrong": ("max_words = 1", 'mine.toml: max_words is "1"', "Pass over longer sentences"),
    "no corpus": ('out = "s.csv"', "CORPUS is not given, and not in mine.toml", "Files, folders"),
    "engine": ('[engine]\nname = "local"\ngpus = 1', "engine local has no options, and gpus is set", ""),
    "no out": ('corpus = "en.txt"', "--out is not given, and not in mine.toml", "Context set to write"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_file_is_one_line_that_names_it(bvf, tmp_path, case):
    (tmp_path / "en.txt").write_text(ENGLISH)
    line, said, hint = BAD_FILES[case]
    (tmp_path / "mine.toml").write_text(line)
    given = [] if "is not given" in said else ["en.txt", "-o", "s.csv"]
    told = error_of(bvf("mine", *given, "--config", "mine.toml", "--plugin", TOY_MINER))
    assert said in told
    assert hint in told
    assert not (tmp_path / "s.csv").exists()


def test_parts_and_then_the_whole(bvf, tmp_path):
    rows = [{"id": f"d{n}", "text": f"The nurse said that she left {n}. {'again ' * 10_000}."} for n in range(8)]
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, rows)))
    command = ("mine", "c.jsonl", "-o", "c.csv", "--plugin", TOY_MINER, "--workers", "1", "-q")
    assert bvf(*command, "--part", "1/3").stdout.startswith("c.csv: part 1/3 is done; ")
    assert "3 of 4 pieces are there; missing: part 2 of 3" in bvf(*command, "--part", "3/3").stdout
    assert not (tmp_path / "c.csv").exists()
    assert bvf(*command).returncode == 0
    assert templates(tmp_path / "c.csv") == {"The [X] said that [Y]": 8}
    assert "there is no part 4/3" in error_of(bvf(*command, "--part", "4/3"))
