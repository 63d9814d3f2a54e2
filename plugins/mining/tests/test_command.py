"""``bvf mine`` and ``bvf contexts``: with the bundled parsers as processes, and with bad input."""

import csv
import json

import pytest
from helpers.corpus import TOY_MINER, jsonl

ENGLISH = """The nurse said that she was tired. It rained.

The plumber says he will come on Tuesday. All day the rain fell on the roofs of the town and on the road to the station,
and all the trains were late again. The engineer claimed he had seen the report.

Nobody came."""
CHINESE = "医生说他明天不来了。\n\n护士承认她错了。天气很好。\n"
TOY = ("--plugin", TOY_MINER, "--workers", "1", "-q")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "en.txt").write_text(ENGLISH)
    return tmp_path


def templates(file):
    with file.open(newline="", encoding="utf-8") as content:
        return {row["template"]: int(row["count"]) for row in csv.DictReader(content)}


def error_of(done):
    assert done.code == 2, done.err
    lines = [line for line in done.err.splitlines() if not line.endswith("skipped")]
    assert lines[0].startswith("error: ")
    assert len(lines) <= 2
    return "\n".join(lines)


def test_english_from_a_text_file_to_a_run(process, folder):
    done = process("mine", "en.txt", "--topic", "gender", "-o", "mine.csv", "--workers", "1")
    assert done.returncode == 0, done.stderr
    assert templates(folder / "mine.csv") == {"The [X] said that [Y]": 2, "The [X] claimed that [Y]": 1}
    assert "6 sentences" in done.stdout
    assert "more template" not in done.stdout
    assert "\nnext:     bvf run --topic gender --contexts mine.csv\n" in done.stdout
    both = ("--contexts", "mine.csv", "--contexts", "gender")
    ran = process("run", "--model", "baseline:unbiased", *both, "--format", "json", "-q")
    assert [result["contexts"] for result in json.loads(ran.stdout)] == ["mine.csv", "gender"]


def test_chinese_from_standard_input(process, folder):
    done = process("mine", "-", "--lang", "zh", "-o", "zh.csv", "--workers", "1", input=CHINESE)
    assert done.returncode == 0, done.stderr
    assert templates(folder / "zh.csv") == {"[X]承认[Y]已经……": 1, "[X]说[Y]已经……": 1}
    assert "\nnext:     bvf run --lang zh --contexts zh.csv\n" in done.stdout


def test_a_row_a_source(command, folder):
    for name, verb in (("book", "said"), ("web", "wrote")):
        (folder / f"{name}.txt").write_text(f"The nurse {verb} that she left.")
    done = command("mine", "book.txt", "web.txt", "-o", "sets", *TOY)
    assert done.code == 0, done.err
    assert "--contexts sets/book.csv\n\nheaviest templates\n" in done.out
    assert "1 kept; none dropped\n" in done.out
    both = ("--contexts", "sets/book.csv", "--contexts", "sets/web.csv")
    table = command("run", "--model", "baseline:stereotyped", *both, "-q", "--out", "results")
    assert "A: baseline:stereotyped, book" in table.out
    assert "B: baseline:stereotyped, web" in table.out
    assert sorted(path.name for path in (folder / "results").iterdir()) == ["sets-book.csv", "sets-web.csv"]


def shown_of(command, name):
    return " ".join(command("contexts", "show", name).out.split())


def test_mined_sets_say_what_sample_they_are_also_when_cut_and_merged(command, folder):
    def sample_of(name):
        return json.loads(command("contexts", "show", name, "--format", "json").out)["sample"]

    texts = (
        "The nurse said that she left {}. The cook said that he left {}.",
        "The cook knew that he left {}. It rained.",
    )
    for name, number in (("a", 3), ("b", 2)):
        rows = [{"id": f"{name}{n}", "text": texts[n % 2].replace("{}", str(n))} for n in range(number)]
        (folder / f"{name}.jsonl").write_bytes(jsonl(rows))
        mining = command("mine", f"{name}.jsonl", "-o", f"{name}.csv", *TOY, "--workers", "2")
        assert mining.code == 0, mining.err
    assert sample_of("a.csv") == {
        **{"written": False, "cut": False, "occurrences": 5, "documents": 3, "share": 1, "replicates": 200},
        **{"capped_at": None, "unseen": 0.2},
    }
    whole = "sample: all 5 occurrences in 3 documents of its source; 20.0% of those in more"
    assert whole in shown_of(command, "a.csv")
    assert command("contexts", "merge", "a.csv", "b.csv", "-o", "all.csv").code == 0
    merged = sample_of("all.csv")
    assert (merged["occurrences"], merged["documents"], merged["replicates"]) == (8, 5, 200)
    lines = (folder / "a.csv").read_text().splitlines(keepends=True)
    (folder / "a.csv").write_text("".join(lines[:2]))
    cut = sample_of("a.csv")
    assert (cut["occurrences"], cut["share"], cut["unseen"]) == (5, 0.8, None)
    assert "sample: 80.0% of the 5 occurrences in 3 documents of its source" in shown_of(command, "a.csv")
    (folder / "a.csv").write_text("".join(lines).replace(",4,", ",3,"))
    refused = error_of(command("contexts", "show", "a.csv"))
    assert 'a.replicates.parquet: the count of "The [X] said that [Y]" is 4' in refused


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("weekday", "sample: none: the counts were chosen, not counted"),
        ("gender-table8", "sample: a part of its source; how much is left out is not known"),
        ("gender", "sample: 19.7% of the 9,318 occurrences in 562 documents of its source"),
    ],
)
def test_sets_that_are_no_whole_sample_say_so(command, name, said):
    assert said in shown_of(command, name)


def test_a_file_says_what_to_mine_and_options_win_over_it(command, folder):
    lines = ('corpus = "en.txt"', 'out = "file.csv"', f'plugin = ["{TOY_MINER}"]', "workers = 1", "examples = false")
    (folder / "mine.toml").write_text("\n".join(lines))
    assert command("mine", "--config", "mine.toml").code == 0
    assert templates(folder / "file.csv") == {"The [X] said that [Y]": 1}
    assert "example" not in (folder / "file.csv").read_text().splitlines()[0]
    (folder / "other.txt").write_text("The nurse wrote that she left.")
    assert command("mine", "other.txt", "--config", "mine.toml", "-o", "options.csv").code == 0
    assert templates(folder / "options.csv") == {"The [X] wrote that [Y]": 1}


BY_STANZA = 'corpus = ["en.txt"]\nout = "s.csv"\nworkers = 1\n[miner]\nstanza = "nowhere"\n'
ON_GPUS = '[engine]\nname = "local"\ngpus = 1'
TO = ("-o", "s.csv", *TOY)


@pytest.mark.parametrize(
    ("config", "arguments", "said"),
    [
        ("", ("c.jsonl", "--text-column", "words", *TO), 'the first is c.jsonl:1: no text in "words"'),
        ("", ("en.txt", "--min-confidence", "nan", *TO), '--min-confidence is "nan"'),
        (BY_STANZA, (), "-M stanza=nowhere: no resources.json there"),
        (BY_STANZA, ("-M", "stanza=elsewhere"), "-M stanza=elsewhere: no resources.json there"),
        ('topc = "gender"', ("en.txt", *TO), 'mine.toml: there is no setting "topc"\n hint: did you mean topic'),
        (
            "max_words = 1",
            ("en.txt", *TO),
            'max_words is "1": Input should be greater than or equal to 2\n hint: Pass over longer',
        ),
        (ON_GPUS, ("en.txt", "-o", "s.csv", *TOY[:2]), "engine local has no options, and gpus is set"),
        ('out = "s.csv"', TOY, "CORPUS is not given, and not in mine.toml\n hint: Files, folders"),
        ('corpus = "en.txt"', TOY, "--out is not given, and not in mine.toml\n hint: Context set to write"),
    ],
)
def test_bad_input_is_one_line(command, folder, config, arguments, said):
    (folder / "c.jsonl").write_text('{"text": "It rained."}\nnot json\n{"text": ""}\nnot json\n')
    (folder / "mine.toml").write_text(config)
    assert said in error_of(command("mine", "--config", "mine.toml", *arguments))
    assert not (folder / "s.csv").exists()


def test_parts_and_then_the_whole(command, folder):
    rows = [{"id": f"d{n}", "text": f"The nurse said that she left {n}. {'again ' * 10_000}."} for n in range(8)]
    (folder / "c.jsonl").write_bytes(jsonl(rows))
    mining = ("mine", "c.jsonl", "-o", "c.csv", *TOY)
    assert command(*mining, "--part", "1/3").out.startswith("c.csv: part 1/3 is done; ")
    assert "3 of 4 pieces are there; missing: part 2 of 3" in command(*mining, "--part", "3/3").out
    assert not (folder / "c.csv").exists()
    assert command(*mining).code == 0
    assert templates(folder / "c.csv") == {"The [X] said that [Y]": 8}
    assert "there is no part 4/3" in error_of(command(*mining, "--part", "4/3"))
