"""`bvf run` with this plugin, as a process."""

import html
import json
import os
import subprocess

import pytest
from chat_templates import CHATML, GEMMA
from gguf_files import write_gguf
from helpers.warm import warm_bvf

COMMANDS = ("show", "compare", "report", "export", "verify", "contexts", "explain")
FEW = ("--limit-groups", "3", "--limit-contexts", "2", "--format", "json")
WORDS = ("--words", "male=he", "--words", "female=she")

NAMED = {"rag": "{% for m in messages %}{{ m.content }}{% endfor %}", "tool_use": "{{ tools[0] }}"}


@pytest.fixture
def bvf(tmp_path):
    def call(*arguments):
        return subprocess.run(
            [*warm_bvf(), *(() if arguments[0] in COMMANDS else ("run",)), *map(str, arguments)],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            timeout=600,
        )

    return call


def result_of(process):
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def refused(process):
    assert process.returncode == 2, process.stderr
    assert process.stdout == ""
    assert "Traceback" not in process.stderr
    assert len(process.stderr.splitlines()) <= 2
    return process.stderr


def test_the_assistants_turn_is_said_wherever_the_wording_is(bvf, write_model, tmp_path):
    folder = write_model("llama", chat_template=CHATML)
    asked = {
        "bare": (),
        "chat": ("--chat-template",),
        "ours": ("--chat-turn", "assistant"),
        "tell": ("--chat-turn", "assistant", "--user", "Tell me a story.", "--system", "Be brief."),
    }
    options = ("--backend", "llama", "--model", folder, *WORDS, *FEW)
    results = {name: result_of(bvf(*options, *more, "--out", name)) for name, more in asked.items()}
    digests = {name: result["measurement"] for name, result in results.items()}
    assert len(set(digests.values())) == 4
    assert [(results[name]["wording"], results[name]["user"], results[name]["system"]) for name in asked] == [
        ("bare", "", ""),
        ("chat", "", ""),
        ("chat-assistant", "Continue the text.", ""),
        ("chat-assistant", "Tell me a story.", "Be brief."),
    ]
    says = "contexts begin the assistant's answer in a chat, and the user says: Tell me a story., and the system says: "
    assert results["tell"]["notes"][-1] == f"{says}Be brief."
    assert json.loads((tmp_path / "tell" / "measurement.json").read_text())["model"]["user"] == "Tell me a story."

    other = bvf("compare", "chat", "ours")
    assert "has the wording chat, and ours chat, assistant's turn" in other.stderr
    compared = bvf("compare", "ours", "tell")
    assert "the user's turn of the chat says something else in some runs" in " ".join(compared.stdout.split())
    bvf("report", "bare", "ours", "tell", "-o", "page.html")
    page = html.unescape((tmp_path / "page.html").read_text())
    assert "each context begins the assistant's turn of a chat" in page
    assert "Tell me a story." in page
    bvf("export", "tell", "--to", "eee", "-o", "record.json")
    record = json.loads((tmp_path / "record.json").read_text())
    said = record["evaluation_results"][0]["generation_config"]["additional_details"]
    assert (said["wording"], said["user"]) == ("chat, assistant's turn", "Tell me a story.")
    assert bvf("verify", "tell").returncode == 0


def test_a_gguf_file(bvf, write_model, tmp_path):
    file = write_gguf(write_model("llama"), tmp_path / "model.Q8_0.gguf", "Q8_0")
    process = bvf("--plugin", "llama-backend", "--model", file.name, *FEW)
    assert result_of(process)["model"] == "tiny"  # as the file calls it
    assert result_of(process)["model_path"] == "model.Q8_0.gguf"
    assert process.stderr == ""


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--plugin", "llama-backend", "--chat-template"), "the tokenizer has no chat template"),
        (("--system", "x"), "backend transformers has no option system"),
        (
            ("--chat-turn", "assistant"),
            "leave chat_turn out, or choose a backend that has it: --backend image or --backend llama or --backend",
        ),
    ],
)
def test_one_line_says_what_is_wrong(bvf, options, says):
    assert says in refused(bvf(*options, *FEW))


def test_a_run_in_formats_is_explained_format_by_format(bvf, write_model):
    model = write_model("llama", chat_template=CHATML)
    made = bvf("contexts", "frame", "gender-table8", "--by", "format=bare,user,tell", "-o", "formats.csv")
    assert made.returncode == 0, made.stderr
    chosen = ("--model", model, "--backend", "llama", *WORDS, "--limit-groups", "3", "--out", "run")
    result = result_of(bvf(*chosen, "--contexts", "formats.csv", "--format", "json"))
    assert result["wording"] == "by-context"
    assert "some contexts are in chats of their own" in result["notes"]
    explained = result_of(bvf("explain", "run", "--format", "json"))
    assert {row["frame"] for row in explained["frames"]} == {"format"}
    assert bvf("verify", "run").returncode == 0
    chosen = (*chosen[:-2], "--openings", "none")
    formats = ("--contexts", "gender-table8", "--formats", "bare,user,tell", "--out", "direct", "--format", "json")
    direct = result_of(bvf(*chosen, *formats))
    assert (direct["R"], direct["R_volatility"]) == (result["R"], result["R_volatility"])
    assert direct["candidate_mass"] == result["candidate_mass"]
    mass = direct["candidate_mass"]
    assert list(mass["by_format"]) == ["bare", "user", "tell"]
    assert min(mass["by_format"].values()) < mass["mean"] < max(mass["by_format"].values())
    shown = bvf("show", "--details", "direct")
    assert "in each format: bare " in " ".join(shown.stdout.split())
    compared = result_of(bvf("compare", "direct", "--by", "format", "--format", "json"))
    alone = ("--contexts", "gender-table8", "--chat-turn", "user", "--out", "alone", "--format", "json")
    of_format = {each["format"]: each["figures"] for each in compared["topics"][0]["models"]}
    assert list(of_format) == ["bare", "user", "tell"]
    assert of_format["user"]["R"] == pytest.approx(result_of(bvf(*chosen, *alone))["R"], abs=1e-6)


def test_formats_are_written_by_a_template_that_is_named(bvf, write_model):
    marked = "{% for m in messages %}<{{ m.role }}> {{ m.content }}{% endfor %}<>"
    model = write_model("llama", chat_template={"marked": marked, "default": CHATML})
    chosen = ("--model", model, "--backend", "llama", *WORDS, *FEW, "--contexts", "gender-table8")
    formats, named = ("--formats", "bare,user"), ("-B", "chat_template=marked")
    runs = {"both": (*formats, *named), "formats": formats, "named": named}
    mass = {each: result_of(bvf(*chosen, *more, "--out", each))["candidate_mass"] for each, more in runs.items()}
    assert mass["both"]["by_format"]["bare"] == mass["formats"]["by_format"]["bare"]
    assert mass["both"]["by_format"]["user"] == pytest.approx(mass["named"]["mean"], abs=1e-6)
    assert mass["formats"]["by_format"]["user"] != pytest.approx(mass["named"]["mean"], abs=1e-6)
    assert bvf("verify", "both").returncode == 0
    assert "bring chats of their own" in refused(bvf(*chosen, *formats, *named, "--system", "Be brief."))


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        (("--backend", "transformers"), "has contexts in chats, which the backend transformers does not read"),
        (("--backend", "llama", "--chat-turn", "assistant"), "leave --chat-template and --chat-turn out"),
    ],
)
def test_contexts_in_chats_are_refused_where_they_cannot_be_read(bvf, write_model, tmp_path, chosen, says):
    (tmp_path / "set.csv").write_text("template,count,chat_turn\nThe [X] said that [Y],1,user\n")
    model = write_model("llama", chat_template=CHATML)
    assert says in refused(bvf("--model", model, "--contexts", "set.csv", *chosen))


@pytest.mark.parametrize(
    ("template", "options", "says"),
    [
        (
            GEMMA,
            ("--chat-turn", "user", "--system", "Be brief."),
            "refuses --system, or anything else: System role not",
        ),
        ("{{ messages[0].content }}", ("--chat-turn", "user"), "loses what the user or the assistant says"),
        (NAMED, ("--chat-turn", "user"), "choose one by -B chat_template=NAME: rag, tool_use"),
        (NAMED, ("-B", "chat_template=tool-use"), "did you mean tool_use?"),
        (CHATML, ("-B", "chat_template=none.jinja"), 'no chat template "none.jinja", and there is no such file'),
        (CHATML, ("-B", "chat_template=3"), "chat_template"),
    ],
    ids=["no system", "no answers", "no default", "misspelt", "no file", "a number"],
)
def test_a_template_that_cannot_be_used_is_one_line(bvf, write_model, template, options, says):
    model = write_model("llama", chat_template=template)
    assert says in refused(bvf("--backend", "llama", "--model", model, *FEW, *options))


def test_a_template_is_chosen_by_name_or_from_a_file(bvf, write_model, tmp_path):
    model = write_model("llama", chat_template={**NAMED, "default": CHATML})
    (tmp_path / "own.jinja").write_text(NAMED["rag"])
    chosen = {
        "default": ("--chat-template",),
        "name": ("-B", "chat_template=rag"),
        "file": ("-B", "chat_template=own.jinja"),
    }
    options = ("--backend", "llama", "--model", model, *WORDS, *FEW)
    results = {each: result_of(bvf(*options, *more, "--out", each)) for each, more in chosen.items()}
    assert results["name"]["R"] == results["file"]["R"] != results["default"]["R"]
    read_as = [json.loads((tmp_path / each / "measurement.json").read_text())["model"]["read_as"] for each in chosen]
    digest = read_as[1].removeprefix("ChatModel, chat template rag ")
    assert read_as == [
        "ChatModel",
        f"ChatModel, chat template rag {digest}",
        f"ChatModel, chat template own.jinja {digest}",
    ]
    assert bvf("verify", "file").returncode == 0
