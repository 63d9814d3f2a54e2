"""`bvf` with this plugin, as a process."""

import html
import json

import pytest
from chat_templates import CHATML
from gguf_files import write_gguf
from processes import refused, result_of

FEW = ("--limit-groups", "3", "--format", "json")
TWO_CONTEXTS = ("--limit-contexts", "2")
CONTENTS = "{% for m in messages %}{{ m.content }}{% endfor %}"


@pytest.fixture
def run(process):
    """Run a model with this plugin on a few prompts."""
    of_llama = ("run", "--backend", "llama", "--words", "male=he", "--words", "female=she", *FEW)
    return lambda model, *arguments: process(*of_llama, "--model", model, *arguments)


def test_the_assistants_turn_is_said_wherever_the_wording_is(run, process, write_model, tmp_path):
    folder = write_model("llama", chat_template=CHATML)
    asked = {
        "bare": (),
        "chat": ("--chat-template",),
        "ours": ("--chat-turn", "assistant"),
        "tell": ("--chat-turn", "assistant", "--user", "Tell me a story.", "--system", "Be brief."),
    }
    results = {name: result_of(run(folder, *TWO_CONTEXTS, *more, "--out", name)) for name, more in asked.items()}
    assert len({result["measurement"] for result in results.values()}) == 4
    assert {name: (each["wording"], each["user"], each["system"]) for name, each in results.items()} == {
        "bare": ("bare", "", ""),
        "chat": ("chat", "", ""),
        "ours": ("chat-assistant", "Continue the text.", ""),
        "tell": ("chat-assistant", "Tell me a story.", "Be brief."),
    }
    says = "contexts begin the assistant's answer in a chat, and the user says: Tell me a story., and the system says: "
    assert results["tell"]["notes"][-1] == f"{says}Be brief."
    assert json.loads((tmp_path / "tell" / "measurement.json").read_text())["model"]["user"] == "Tell me a story."

    assert "has the wording chat, and ours chat, assistant's turn" in process("compare", "chat", "ours").stderr
    compared = " ".join(process("compare", "ours", "tell").stdout.split())
    assert "the user's turn of the chat says something else in some runs" in compared
    process("report", "bare", "ours", "tell", "-o", "page.html")
    page = html.unescape((tmp_path / "page.html").read_text())
    assert "each context begins the assistant's turn of a chat" in page
    assert "Tell me a story." in page
    process("export", "tell", "--to", "eee", "-o", "record.json")
    record = json.loads((tmp_path / "record.json").read_text())
    said = record["evaluation_results"][0]["generation_config"]["additional_details"]
    assert (said["wording"], said["user"]) == ("chat, assistant's turn", "Tell me a story.")
    assert process("verify", "tell").returncode == 0


def test_a_gguf_file(process, write_model, tmp_path):
    file = write_gguf(write_model("llama"), tmp_path / "model.Q8_0.gguf", "Q8_0")
    done = process("run", "--plugin", "llama-backend", "--model", file.name, *FEW, *TWO_CONTEXTS)
    result = result_of(done)
    assert (result["model"], result["model_path"]) == ("tiny", "model.Q8_0.gguf")  # as the file calls it
    assert done.stderr == ""


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
def test_one_line_says_what_is_wrong(process, options, says):
    assert says in refused(process("run", *options, *FEW, *TWO_CONTEXTS))


def test_a_run_in_formats_is_explained_format_by_format(run, process, write_model):
    model = write_model("llama", chat_template=CHATML)
    made = process("contexts", "frame", "gender-table8", "--by", "format=bare,user,tell", "-o", "formats.csv")
    assert made.returncode == 0, made.stderr
    result = result_of(run(model, "--contexts", "formats.csv", "--out", "run"))
    assert result["wording"] == "by-context"
    assert "some contexts are in chats of their own" in result["notes"]
    explained = result_of(process("explain", "run", "--format", "json"))
    assert {row["frame"] for row in explained["frames"]} == {"format"}
    assert process("verify", "run").returncode == 0
    in_a_chat = run(model, "--contexts", "formats.csv", "--chat-turn", "assistant")
    assert "leave --chat-template and --chat-turn out" in refused(in_a_chat)
    table8 = ("--openings", "none", "--contexts", "gender-table8", "--out", "direct")
    direct = result_of(run(model, *table8, "--formats", "bare,user,tell"))
    for figure in ("R", "R_volatility", "candidate_mass"):
        assert direct[figure] == result[figure]
    mass = direct["candidate_mass"]
    assert list(mass["by_format"]) == ["bare", "user", "tell"]
    assert min(mass["by_format"].values()) < mass["mean"] < max(mass["by_format"].values())
    assert "in each format: bare " in " ".join(process("show", "--details", "direct").stdout.split())


def test_formats_are_written_by_a_template_that_is_named(run, process, write_model):
    marked = "{% for m in messages %}<{{ m.role }}> {{ m.content }}{% endfor %}<>"
    model = write_model("llama", chat_template={"marked": marked, "default": CHATML})
    chosen = (model, *TWO_CONTEXTS, "--contexts", "gender-table8")
    formats, named = ("--formats", "bare,user"), ("-B", "chat_template=marked")
    runs = {"both": (*formats, *named), "formats": formats, "named": named}
    mass = {each: result_of(run(*chosen, *more, "--out", each))["candidate_mass"] for each, more in runs.items()}
    assert mass["both"]["by_format"]["bare"] == mass["formats"]["by_format"]["bare"]
    assert mass["both"]["by_format"]["user"] == pytest.approx(mass["named"]["mean"], abs=1e-6)
    assert mass["formats"]["by_format"]["user"] != pytest.approx(mass["named"]["mean"], abs=1e-6)
    assert process("verify", "both").returncode == 0
    assert "bring chats of their own" in refused(run(*chosen, *formats, *named, "--system", "Be brief."))


def test_a_template_is_chosen_by_name_or_from_a_file(run, process, write_model, tmp_path):
    model = write_model("llama", chat_template={"rag": CONTENTS, "tool_use": "{{ tools[0] }}", "default": CHATML})
    (tmp_path / "own.jinja").write_text(CONTENTS)
    assert "did you mean tool_use?" in refused(run(model, "-B", "chat_template=tool-use"))
    chosen = {"default": "true", "name": "rag", "file": "own.jinja"}
    results = {
        each: result_of(run(model, *TWO_CONTEXTS, "-B", f"chat_template={value}", "--out", each))
        for each, value in chosen.items()
    }
    assert results["name"]["R"] == results["file"]["R"] != results["default"]["R"]
    read_as = [json.loads((tmp_path / each / "measurement.json").read_text())["model"]["read_as"] for each in chosen]
    digest = read_as[1].removeprefix("ChatModel, chat template rag ")
    said = ("", f", chat template rag {digest}", f", chat template own.jinja {digest}")
    assert read_as == [f"ChatModel{each}" for each in said]
    assert process("verify", "file").returncode == 0
