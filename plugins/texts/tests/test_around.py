"""What stands around an answer is taken away: thoughts, turns, answer tags, and a prompt that is repeated."""

import pytest
from bvf_texts.around import CUT, FILTERED, REFUSED, answer_in, answers_in, without_prompt
from hypothesis import given
from hypothesis import strategies as st

from bvf.interfaces.texts import Writing

TAGS = (
    *[(f"<{name}>", f"</{name}>") for name in ("think", "thinking", "thought", "reasoning", "seed:think")],
    *[("[THINK]", "[/THINK]"), ("◁think▷", "◁/think▷"), ("<|START_THINKING|>", "<|END_THINKING|><|START_RESPONSE|>")],
    *[("<unused94>thought\n", "<unused95>"), ("<|channel>thought\n", "<channel|>"), ("analysis", "assistantfinal")],
    ("<|begin_of_thought|>", "<|end_of_thought|>\n<|begin_of_solution|>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ("Here is my thought process:", "Here is my response:"),
)
ENDS = (
    *("<|im_end|>\n<|im_start|>user\n", "<|eot_id|>", "<end_of_turn>\n<start_of_turn>user\n", "</s>", "<|return|>"),
    *("<turn|>", "<\uff5cend▁of▁sentence\uff5c>", "<|END_RESPONSE|>", "\n### Instruction:\n", "\nHuman:", "</answer>"),
)
BEGINS = ("<|im_start|>assistant\n", "<|start_header_id|>assistant<|end_header_id|>\n\n", "<start_of_turn>model\n")
ALONE = {
    "Okay, he is usual.\n</think>\n\nshe left.": "she left.",
    "<think>he <think> he</think> he</think> she left.": "she left.",
    "she <think>he?</think>left.": "she left.",
    "she left. <think>or he": "she left.",
    "<think>he<|im_end|>\n<|im_start|>user\nhe": CUT,
    "he? <answer>she left.</answer> he": "she left.",
    "<think>he <answer>she left.</answer>": "she left.",
    "<think>in <answer>A</answer> tags: he</think><answer>she left.</answer>": "she left.",
    f"{Writing.REFUSAL}I can't; he": REFUSED,
    f"he{Writing.FILTERED}": FILTERED,
    "Her analysis: he is a user: yes": "Her analysis: he is a user: yes",
    "Thinking of <b>him</b>, she left.": "Thinking of <b>him</b>, she left.",
    "I said: Here is my response: she left.": "I said: Here is my response: she left.",
}


@pytest.mark.parametrize(("raw", "right"), ALONE.items())
def test_the_answer_alone_is_left(raw, right):
    found = answer_in(raw)
    assert (found.why or found.text.strip()) == right


@pytest.mark.parametrize(("opens", "closes"), TAGS)
def test_the_thoughts_of_every_family_are_known(opens, closes):
    found = answer_in(f"\n{opens}He?{closes}she left.")
    assert (found.text.strip(), found.why, found.thought.strip()[:3]) == ("she left.", "", "He?")
    assert answer_in(f"{opens}He? So he").why == CUT


@pytest.mark.parametrize("end", ENDS)
def test_what_follows_the_end_of_a_turn_is_cut_off(end):
    for begin in ("", *BEGINS):
        assert answer_in(f"{begin}she left.{end}he").text.strip() == "she left."


@given(st.text(st.characters(exclude_characters="<[◁\ns")))
def test_a_text_without_marks_is_its_own_answer(text):
    assert answer_in(text) == (text, "", "", False)


@given(st.lists(st.sampled_from(["he ", "<think>", "</think>", "<answer>", "</answer>", "<|im_end|>", "\n", "<|x|>"])))
def test_no_mark_is_left_in_an_answer_and_nothing_is_added(parts):
    raw = "".join(parts)
    found = answer_in(raw)
    assert not any(mark in found.text for mark in ("think>", "answer>", "<|"))
    assert (found.text + found.thought).count("he ") <= raw.count("he ")
    assert answer_in(found.text) == (found.text, "", "", False)


def test_where_the_template_opens_thoughts_a_text_without_marks_is_cut_within_one():
    closed, cut = "so he</think>she left.", "he is usual, but"
    found = answers_in([closed, *[cut] * 9])
    assert (found[closed].text, found[cut].why) == ("she left.", CUT)
    assert answers_in([closed, *[cut] * 10])[cut] == answer_in(cut)
    assert answers_in(["</think>she", "he"])["he"].why == ""


@pytest.mark.parametrize(
    ("text", "left", "right"),
    [
        ('**"The nurse told him\nthat** she left.', "The nurse told him that", "** she left."),
        ("The nurse told him that she left.", "It rained. Go on: The nurse told him that", " she left."),
        ("护士说她走了", "护士说", "她走了"),
        ("The nurse told him thats", "The nurse told him that", "The nurse told him thats"),
        (" she left. The nurse told him that", "The nurse told him that", " she left. The nurse told him that"),
        ("She left.", "It rained. She", "She left."),
    ],
)
def test_a_prompt_that_is_repeated_is_taken_away(text, left, right):
    assert without_prompt(text, left) == right
