"""Speech in quotation marks, which is taken out of a text."""

import re

import pytest
from bvf_texts.readers.speech import BLANK, without_speech

SPEAKER = re.compile("I am a woman")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('"She is asleep," he said.', "# he said."),
        ("“She's asleep,” he said.", "# he said."),
        ("'She's asleep,' he said, and it's late.", "# he said, and it's late."),
        ('he said: "Is she', "he said: #"),
        ('she is," he said. "No."', "# he said. #"),
        ("他说「她睡了。」《她》", "他说##"),
        ('"I am a woman," he heard.', "#I am a woman# he heard."),
        ('called "she" here', "called # here"),
        ('"she tripped" here', "# here"),
        ('"She is asleep."', " She is asleep. "),
        ("the nurses' room, 6' by 8'", "the nurses' room, 6' by 8'"),
        ("", ""),
    ],
)
def test_speech_is_blank_and_the_rest_stays_in_its_place(text, left):
    found = without_speech(text, SPEAKER)
    assert len(found) == len(text)
    assert re.sub(f"{BLANK}+", "#", found) == left.replace("##", "#")
