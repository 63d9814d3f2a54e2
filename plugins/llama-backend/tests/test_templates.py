"""Chat templates are untrusted. Whatever they do, a one-line error comes soon and takes little memory."""

import json

import pytest
from bvf_llama_backend.chat import TODAY
from bvf_llama_backend.templates import Template, TemplateError
from helpers.warm import warm_bvf
from tiny_families import refused

CHAT = [{"role": "user", "content": "The nurse said that"}, {"role": "assistant", "content": "she"}]
ENDLESS = "{% for a in range(99999) %}" * 3 + "{% endfor %}" * 3


@pytest.fixture
def impatient(monkeypatch):
    """Limit a template to a second, in a fork that has its libraries."""
    script = "from bvf_llama_backend import template_process as program; program.SECONDS = 1; program.main()"
    monkeypatch.setattr("bvf_llama_backend.templates.PROGRAM", (*warm_bvf(), "-c", script))


@pytest.mark.parametrize(
    "template",
    [
        "{{ 'x' * 10**11 }}",
        "{% set x = 'x' * 10**9 %}{% for i in range(50) %}{% set x = x ~ x %}{{ x }}{% endfor %}",
        "{{ 'x' | center(10**11) }}",
        "{{ '%0100000000000d' % 1 }}",
        "{{ 10**(10**10) }}",
        ENDLESS,
        "{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}",
        "{% include 'x' %}",
        "{% extends 'x' %}",
        "{{ 1/0 }}",
        "{{ nothing.of.it }}",
        "{% for i in range(10**12) %}{% endfor %}",
        "{{ raise_exception('line one\nline two') }}",
        "{{ messages[7] }}{{ messages[7].content }}",
        "{{ ''.__class__.__mro__ }}{{ 1/0 }}",
        "{{ 'x' * 2000000 }}",
        "{% for m in %}",
        3,
        [1],
        {"a": "b"},
    ],
    ids=lambda template: str(template)[:40],
)
def test_a_template_is_bounded_in_time_and_memory(impatient, template):
    with pytest.raises(TemplateError, match=r"\A[^\n]+\Z"):
        Template(template).texts([CHAT], {}, TODAY)


def test_a_hostile_template_of_a_model_is_one_line(write_model, read, impatient):
    line = refused(read, write_model("llama", chat_template=ENDLESS), chat_template=True)
    assert "the chat template refuses a chat of one turn each: it takes too long" in line


@pytest.mark.parametrize("template", [3, {"a": 5}, [{"name": "tool_use", "template": "x"}], [3]])
def test_a_template_that_is_no_text_is_one_line(write_model, read, template):
    folder = write_model("llama", chat_template="{{ messages[0].content }}")
    (folder / "chat_template.jinja").unlink(missing_ok=True)
    file = folder / "tokenizer_config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "chat_template": template}))
    assert refused(read, folder, chat_template=True)


def test_the_program_imports_nothing_of_the_folder_one_works_in_and_ends_with_what_asked_it(tmp_path, monkeypatch):
    (tmp_path / "transformers.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    template = Template("{{ messages[0].content }}")
    process = template._process
    assert template.texts([CHAT, CHAT], {}, TODAY) == ["The nurse said that"] * 2
    del template
    assert process.returncode is not None


def test_the_program_ends_when_its_input_does():
    template = Template("{{ messages[0].content }}")
    template._process.stdin.close()
    assert template._process.wait(timeout=60) == 0
