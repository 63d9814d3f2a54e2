"""A control that is asked in the contexts of gender-mixed, and a language that has no control."""

from bvf_en.rules import English

from bvf import Provider, Topic, hookimpl


class Bare(English):
    code = "xx"


def topic(name, language, words, *, control=False, groups=("accountant",)):
    return Topic.model_validate(
        {
            **{"schema": "bvf.topic/1", "name": name, "language": language, "summary": "s", "contexts": "gender-mixed"},
            **{"sources": ["written for this test"], "groups": groups, "control": control},
            "measurement": {"construct": "c", "harm": "h", "chosen_by": "w", "reference": "uniform"},
            "attributes": [{"name": each, "words": [each]} for each in words],
        }
    )


def pointing():
    return topic("pointing", "en", ["this", "that", "it"], control=True)


def temper():
    return topic("temper", "xx", ["calm", "wild"])


@hookimpl
def bvf_languages():
    return [Provider("xx", Bare, language="xx")]


@hookimpl
def bvf_topics():
    return [Provider("pointing", pointing, language="en"), Provider("temper", temper, language="xx")]


@hookimpl
def bvf_contexts():
    from bvf_en import bvf_contexts as of_english

    return [Provider(each.name, each.make, language="xx") for each in of_english() if each.name == "gender-mixed"]
