"""``bvf mine`` and ``bvf contexts`` as processes, with the bundled parsers and with bad input."""

import bz2
import csv
import json
import os
import signal
import subprocess
import sys
import time
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
    rows = [line.split()[:2] for line in table.stdout.splitlines() if line.strip().startswith("baseline:stereotyped ")]
    assert rows[:2] == [["baseline:stereotyped", "book"], ["baseline:stereotyped", "web"]]
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


def finished(parts):
    """Pieces that are there; the interrupt may have come before the last one had its name."""
    return [file for file in parts.glob("*") if file.suffix != ".tmp"]


def test_an_interrupt_keeps_what_is_done_and_the_same_command_goes_on(tmp_path, environment):
    texts = [json.dumps({"id": n, "text": f"The nurse said that she left {n} {'again ' * 4000}."}) for n in range(60)]
    (tmp_path / "c.jsonl").write_text("\n".join(texts))
    count = tmp_path / "count"
    command = [sys.executable, "-m", "bvf", "mine", "c.jsonl", "-o", "s.csv", "--plugin", TOY_MINER, "--workers", "2"]
    slow = {**environment, "TOY_SECONDS": "1", "TOY_COUNT": str(count)}
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=slow,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background jobs ignore it
    )
    parts = tmp_path / "s.csv.part"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not finished(parts):
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "what is finished is kept, go on with: bvf mine c.jsonl" in stderr
    assert "Traceback" not in stderr
    done = len(finished(parts))
    assert done >= 1
    assert not (tmp_path / "s.csv").exists()
    count.unlink()
    quick = {**environment, "TOY_COUNT": str(count)}
    again = subprocess.run(command, cwd=tmp_path, env=quick, capture_output=True, text=True, timeout=120)
    assert again.returncode == 0, again.stderr
    pieces = len(texts) // 5  # of 24,000 characters a text
    assert len(count.read_text().splitlines()) == pieces - done
    assert templates(tmp_path / "s.csv") == {"The [X] said that [Y]": 60}


def test_a_sentence_that_stands_in_a_corpus_again_is_told(bvf, tmp_path):
    (tmp_path / "c.txt").write_text("The nurse said that she left. The nurse said that she left.\n\nIt rained.")
    process = bvf("mine", "c.txt", "-o", "s.csv", "--plugin", TOY_MINER, "--workers", "1")
    assert "3 sentences, 2 of them parsed, 1 kept; dropped:" in process.stdout
    assert "        1  match, but the same sentence counts already\n" in process.stdout
    assert templates(tmp_path / "s.csv") == {"The [X] said that [Y]": 1}


def test_a_sample_of_a_wiki(bvf, tmp_path):
    def page(title, text):
        return f"<page><title>{title}</title><ns>0</ns><revision><text>{text}</text></revision></page>"

    first = "".join(page(f"Nurse {n}", f"{{{{stub}}}} The [[nurse]] said that she left {n}.") for n in range(30))
    rest = page("Gone", "") + "".join(page(f"Cook {n}", f"The cook wrote that he left {n}.") for n in range(30))
    streams = [b"<mediawiki>", first.encode(), rest.encode(), b"</mediawiki>"]
    (tmp_path / "enwiki-pages.xml.bz2").write_bytes(b"".join(map(bz2.compress, streams)))
    command = ("mine", "enwiki-*.xml.bz2", "--sample", "20", "-o", "wiki.csv", "--plugin", TOY_MINER, "--workers", "1")
    process = bvf(*command)
    assert process.returncode == 0, process.stderr
    assert process.stderr == 'enwiki-pages.xml.bz2:1: page "Gone" has no text; skipped\n'
    assert "20 sentences, 20 of them parsed, 20 kept" in process.stdout
    assert templates(tmp_path / "wiki.csv").keys() == {"The [X] said that [Y]", "The [X] wrote that [Y]"}


BAD = {
    "corrupt": (["c.jsonl"], "3 of 4 lines cannot be used, the first is c.jsonl:2"),
    "script": (["zh.txt"], "of the letters read are not Latin"),
    "language": (["en.txt", "--lang", "fr"], 'there is no language "fr"'),
    "topic": (["en.txt", "--topic", "gendr"], 'there is no topic "gendr"'),
    "stanza": (["en.txt", "-M", "stanza=nowhere"], "-M stanza=nowhere: no resources.json there"),
    "column": (["c.jsonl", "--text-column", "words"], 'the first is c.jsonl:1: no text in "words"'),
    "too sure": (
        ["en.txt", "--min-confidence", "1.5"],
        '--min-confidence is "1.5": Input should be less than or equal',
    ),
    "no number": (["en.txt", "--min-confidence", "nan"], '--min-confidence is "nan"'),
    "zero": (["dull.txt"], "dull.txt: no template in 1 sentences"),
    "engine": (["en.txt", "--engine", "local"], "--engine local, --workers 1: both say where pieces are mined"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line(bvf, tmp_path, case):
    (tmp_path / "c.jsonl").write_text('{"text": "It rained."}\nnot json\n{"text": ""}\nnot json\n')
    (tmp_path / "zh.txt").write_text(CHINESE)
    (tmp_path / "en.txt").write_text(ENGLISH)
    (tmp_path / "dull.txt").write_text("It was a dark and stormy night.")
    arguments, said = BAD[case]
    toy = [] if case in ("stanza", "zero", "script") else ["--plugin", TOY_MINER]
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


def test_options_of_the_engine_are_its_own(bvf, tmp_path):
    (tmp_path / "en.txt").write_text(ENGLISH)
    (tmp_path / "mine.toml").write_text('corpus = ["en.txt"]\nout = "s.csv"\n[engine]\nname = "local"\ngpus = 1\n')
    said = "engine local has no options, and gpus is set"
    assert said in error_of(bvf("mine", "--config", "mine.toml"))
    assert said in error_of(bvf("mine", "en.txt", "-o", "s.csv", "--engine", "local", "-E", "gpus=1"))


BAD_FILES = {
    "unknown": ('topc = "gender"', 'mine.toml: there is no setting "topc"', "did you mean topic"),
    "of a run": ('device = "cpu"', 'mine.toml: there is no setting "device"', "did you mean engine"),
    "wrong": ("max_words = 1", 'mine.toml: max_words is "1"', "Pass over longer sentences"),
    "no table": ("miner_options = 3", 'mine.toml: miner_options is "3"', "Options of the miner"),
    "no TOML": ("topic = ", "mine.toml: not TOML", ""),
    "no corpus": ('out = "s.csv"', "CORPUS is not given, and not in mine.toml", "Files, folders"),
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


def test_parts_at_the_same_time_and_then_the_whole(tmp_path, environment):
    rows = [{"id": f"d{n}", "text": f"The nurse said that she left {n}. {'again ' * 10_000}."} for n in range(8)]
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, rows)))
    command = ["mine", "c.jsonl", "-o", "c.csv", "--plugin", TOY_MINER, "--workers", "1", "-q"]
    processes = [
        subprocess.Popen(
            [*warm_bvf(), *command, *part],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for part in (["--part", "1/3"], ["--part", "3/3"], ["--part", "3/3"])
    ]
    said = [process.communicate(timeout=180) for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], said
    assert said[0][0].startswith("c.csv: part 1/3 is done; ")
    assert any("3 of 4 pieces are there; missing: part 2 of 3" in out for out, _ in said)
    assert not (tmp_path / "c.csv").exists()
    whole = subprocess.run(
        [*warm_bvf(), *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert whole.returncode == 0, whole.stderr
    assert templates(tmp_path / "c.csv") == {"The [X] said that [Y]": 8}
    assert not (tmp_path / "c.csv.part").exists()
    wrong = subprocess.run(
        [*warm_bvf(), *command, "--part", "4/3"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "there is no part 4/3" in error_of(wrong)
