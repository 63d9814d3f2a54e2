"""`bvf run` with this plugin, as a process."""

import json
import os
import subprocess

import pytest
from gguf_files import write_gguf
from test_chat import LLAMA3
from warm import warm_bvf

FEW = ("--limit-groups", "3", "--limit-contexts", "2", "--format", "json")


@pytest.fixture
def bvf(tmp_path):
    def call(*arguments):
        return subprocess.run(
            [*warm_bvf(), "run", *map(str, arguments)],
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


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_plugin_alone_is_the_default_backend_with_the_languages_model(bvf, language):
    result = result_of(bvf("--lang", language, "--plugin", "llama-backend", *FEW))
    assert result["backend"] == "llama"
    assert result["model"] == f"bundled:{language}-causal"
    assert (result["wording"], result["system"]) == ("bare", "")


def test_a_chat_is_said_to_be_one(bvf, write_model):
    folder = write_model("llama", chat_template=LLAMA3)
    options = ("--backend", "llama", "--model", folder, *FEW)
    chat = result_of(bvf(*options, "--chat-template", "--system", "Be brief."))
    bare = result_of(bvf(*options))
    assert (chat["wording"], chat["system"]) == ("chat", "Be brief.")
    assert chat["notes"][-1] == "contexts are what the user says in a chat, and the system says: Be brief."
    assert chat["R"] != bare["R"]


def test_a_gguf_file(bvf, write_model, tmp_path):
    file = write_gguf(write_model("llama"), tmp_path / "model.Q8_0.gguf", "Q8_0")
    process = bvf("--plugin", "llama-backend", "--model", file.name, *FEW)
    assert result_of(process)["model"] == "tiny"  # as the file calls it
    assert result_of(process)["model_path"] == "model.Q8_0.gguf"
    assert process.stderr == ""


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            ("--chat-template",),
            "leave chat_template out; backends that have it: llama",
        ),
        (("--plugin", "llama-backend", "--chat-template"), "the tokenizer has no chat template"),
        (("--plugin", "llama-backend", "--system", "x"), "--system goes with --chat-template"),
        (("--system", "x"), "backend transformers has no option system"),
        (("--backend", "llama", "--model", "no.gguf"), "there is no such file"),
    ],
)
def test_one_line_says_what_is_wrong(bvf, options, says):
    assert says in refused(bvf(*options, *FEW))
