"""What a template may take from outside the chat: the clock, chance, and variables that the user sets."""

import json
import os
import subprocess
import sys

import pytest
from bvf_llama_backend.chat import TODAY, date_string
from bvf_llama_backend.templates import Template
from chat_templates import CHATML, GPT_OSS, GRANITE, LLAMA3, LLAMA32, SMOLLM3
from processes import result_of
from transformers.utils.chat_template_utils import _compile_jinja_template

from bvf.domain import text_of
from bvf.domain.chat import Chat
from bvf.measuring.folder import read_measurement

CHAT = [{"role": "user", "content": "The nurse said that"}, {"role": "assistant", "content": "she"}]
LATER = """
import datetime, time
real, seconds = datetime.datetime, time.time
class Later(real):
    @classmethod
    def now(cls, tz=None):
        return real.now(tz) + datetime.timedelta(days=40)
datetime.datetime = Later
time.time = lambda: seconds() + 40 * 24 * 60 * 60
"""
FEW = ("--backend", "llama", "--limit-groups", "3", "--limit-contexts", "2", "--format", "json")
FEW += ("--words", "male=he", "--words", "female=she")
ONE_AFTER_ANOTHER = """
import io, json, sys
from bvf_llama_backend import template_process
for sys.stdin in map(io.StringIO, json.load(sys.stdin)):
    template_process.main()
"""
YEAR = "{% macro day() %}{{ strftime_now('%Y') }}{% endmacro %}{{ day() }}"
DATED = {
    GRANITE: "Today's Date: July 26, 2024.",
    GPT_OSS: "Current date: 2024-07-26",
    SMOLLM3: "Today Date: 26 July 2024",
    LLAMA32: "Today Date: 26 Jul 2024",
    LLAMA3: "Today Date: 26 Jul 2024",
    "{{ strftime_now('%A %c %H:%M:%S.%f %j %s %Z') }}": "Friday Fri Jul 26 00:00:00 2024 00:00:00.000000 208",
    YEAR + " {{ range(10**5) | random }} {{ lipsum(2) }} {{ range(9) | list | random }}": "2024 ",
}
"""Templates that ask the clock or draw at random, and what each writes on any day."""
IN_FORKS = pytest.mark.usefixtures("has_its_libraries")


@pytest.fixture(scope="module")
def in_40_days(tmp_path_factory):
    """What the program writes by each template in a process that lives 40 days later; a fork would live today."""
    folder = tmp_path_factory.mktemp("later")
    (folder / "sitecustomize.py").write_text(LATER)
    places = {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]), "TZ": "UTC"}
    request = {"chats": [CHAT, CHAT], "names": {}, "day": TODAY.isoformat()}
    asked = [f"{json.dumps(template)}\n{json.dumps(request)}" for template in DATED]
    done = subprocess.run(
        [sys.executable, "-P", "-c", ONE_AFTER_ANOTHER],
        input=json.dumps(asked),
        env={**os.environ, **places},
        capture_output=True,
        check=True,
        text=True,
    )
    return dict(zip(DATED, map(json.loads, done.stdout.splitlines()), strict=True))


@IN_FORKS
@pytest.mark.parametrize("template", DATED)
def test_a_template_writes_the_same_on_every_day(template, in_40_days):
    first = Template(template).texts([CHAT, CHAT], {}, TODAY)
    assert in_40_days[template] == {"texts": first}
    assert first[0] == first[1]
    assert DATED[template] in first[0]


def test_templates_have_no_other_way_to_ask_what_changes():
    """Of what the library gives them, strftime_now asks the clock. lipsum and the filter random draw at random."""
    environment = _compile_jinja_template("").environment
    known = {"range", "dict", "lipsum", "cycler", "joiner", "namespace", "raise_exception", "strftime_now"}
    assert set(environment.globals) <= known
    by_itself = ("date", "time", "now", "random", "uuid", "env")
    assert [each for each in environment.filters if any(part in each for part in by_itself)] == ["random"]


@IN_FORKS
@pytest.mark.parametrize(
    ("template", "read_as"),
    [(GRANITE, "ChatModel on 26 Jul 2024"), (LLAMA32, "ChatModel"), (LLAMA3, "ChatModel"), (CHATML, "ChatModel")],
)
def test_a_model_is_described_with_the_date_that_it_is_shown(write_model, describe, template, read_as):
    """What was measured with the date of the day is another measurement. That of Llama 3 was always the same."""
    described = describe(write_model("llama", chat_template=template), chat_template=True)
    assert (described.chat_date, described.read_as) == ("" if template == CHATML else "26 Jul 2024", read_as)
    assert described.chat_variables == {}


@IN_FORKS
@pytest.mark.parametrize(
    ("template", "variables", "says"),
    [
        (LLAMA32, {"date_string": "1 May 1890"}, "Today Date: 1 May 1890"),
        (SMOLLM3, {"enable_thinking": False}, "Reasoning Mode: /no_think"),
        (GPT_OSS, {"reasoning_effort": "low"}, "Reasoning: low"),
        (GRANITE, {"controls": {"length": "short"}}, "Length: short."),
    ],
)
def test_the_template_gets_the_values_of_variables(write_model, read, describe, template, variables, says):
    """Among them a date of one's own."""
    folder, options = write_model("llama", chat_template=template), {"chat_turn": "user", "chat_variable": variables}
    assert says in read(folder, **options).turns.before_words([("The nurse said that", Chat("user"), 0)])[0]
    described = describe(folder, **options)
    assert described.chat_variables == {name: text_of(value) for name, value in variables.items()}
    assert described.chat_date == ("" if template == LLAMA32 else "26 Jul 2024")


def test_variables_are_part_of_a_run_wherever_it_is_shown(process, write_model, tmp_path):
    options = ("run", *FEW, "--model", write_model("llama", chat_template=SMOLLM3), "--chat-template")
    plain = result_of(process(*options))
    asked = [result_of(process(*options, "--chat-variable", f"enable_thinking={value}")) for value in ("true", "false")]
    folders = {read_measurement(each).record.digest: each for each in sorted((tmp_path / "runs").iterdir())}
    assert set(folders) == {each["measurement"] for each in (plain, *asked)}
    variables = [{}, {"enable_thinking": "true"}, {"enable_thinking": "false"}]
    assert [each["chat_variables"] for each in (plain, *asked)] == variables
    assert {each["chat_date"] for each in (plain, *asked)} == {date_string(TODAY)}
    assert plain["R"] == asked[0]["R"] != asked[1]["R"]

    on, off = (folders[each["measurement"]] for each in asked)
    values = f"enable_thinking=true in {on}, enable_thinking=false in {off}"
    compared = process("compare", on, off, "--format", "json").stdout
    assert f"the chat template has other variables: {values}" in compared
    shown = process("show", on, off, "--format", "md").stdout
    assert "enable_thinking=true" in shown.replace("\\", "")
    process("export", on, off, "--to", "markdown", "-o", "table.md")
    assert "| enable_thinking=false |" in (tmp_path / "table.md").read_text().replace("\\", "")


@IN_FORKS
def test_a_dry_run_prints_a_prompt_as_the_model_reads_it(process, write_model, read, tmp_path):
    folder = write_model("llama", chat_template=GPT_OSS)
    asked = ("--chat-template", "--chat-variable", "reasoning_effort=low", "--dry-run")
    options = ("run", *FEW, "--model", folder, *asked)
    preview = result_of(process(*options))
    assert preview["text"].startswith("<|start|>system<|message|>Knowledge cutoff: 2024-06\nCurrent date: 2024-07-26")
    assert "Reasoning: low" in preview["text"]
    backend = read(folder, chat_template=True, chat_variable={"reasoning_effort": "low"})
    ids = [each["id"] for each in preview["tokens"]]
    assert backend.tokenizer.decode(ids) == preview["text"] == "".join(each["text"] for each in preview["tokens"])
    assert list(tmp_path.iterdir()) == []
    assert json.dumps(preview["text"][:20])[1:-1] in process(*options, "--format", "text").stdout


@IN_FORKS
def test_names_that_a_template_sets_itself_are_no_variables():
    template = (
        "{% macro m(x, y=z) %}{{ x }}{{ w }}{% endmacro %}{% if a %}{% set b=1 %}{% elif c %}{% set b=2 %}"
        "{% else %}{% set b=3 %}{% endif %}{{ b }}{% for i in q %}{{ loop.first }}{% set k=1 %}{% endfor %}{{ k }}"
    )
    assert Template(template).variables() == ["a", "c", "k", "q", "w", "z"]
