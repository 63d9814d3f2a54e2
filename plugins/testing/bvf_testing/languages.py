"""Checks of languages, that is, of their wording rules, and of miners."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bvf import Group, Language, Prompt, Template, load
from bvf.errors import ContractError
from bvf.interfaces import Document, Found, Miner
from bvf_testing.check import Check, checks_of, require


def language_checks(language: Language, templates: Sequence[str], groups: Sequence[str | Group]) -> list[Check]:
    """Return the checks of a language.

    Prompts keep names of groups and texts of templates, are cut cleanly at the slot and the same the second time;
    phrases have every word in its slot; the default topic and model exist; openings name no group.

    Args:
        language: The wording rules.
        templates: Some of its templates, of every shape that the rules treat differently.
        groups: Some groups of every kind; `bvf.Group(name=..., features=...)` for rules that use features.
    """
    named = tuple(group if isinstance(group, Group) else Group(name=group) for group in groups)
    return checks_of(LANGUAGE_CHECKS, language, tuple(map(Template, templates)), named)


def the_group_is_in_the_prompt(language: Language, templates: Sequence[Template], groups: Sequence[Group]) -> None:
    """The prompt contains the name of the group, ignoring case."""
    for template, group, prompt in rendered(language, templates, groups):
        text = (prompt.left + prompt.right).casefold()
        require(group.casefold() in text, f'"{group}" is not in "{prompt}", made from "{template.text}"')


def the_prompt_names_its_origin(language: Language, templates: Sequence[Template], groups: Sequence[Group]) -> None:
    """The prompt has the names of its group and template, under which its probabilities are stored."""
    for template, group, prompt in rendered(language, templates, groups):
        require(prompt.group == group, f'the prompt of "{group}" says it is that of "{prompt.group}"')
        message = f'the prompt of "{template.text}" says it is that of "{prompt.context}"'
        require(prompt.context == template.text, message)


def the_slot_is_cut_cleanly(language: Language, templates: Sequence[Template], groups: Sequence[Group]) -> None:
    """No slot is left in a prompt, and no space before the word: ``spaced`` says whether there is one."""
    for template, _, prompt in rendered(language, templates, groups):
        text = prompt.left + prompt.right
        require("[X]" not in text and "[Y]" not in text, f'a slot is left in "{text}", made from "{template.text}"')
        require(
            prompt.left == prompt.left.rstrip(),
            f'"{prompt.left}" ends with a space: the tokens of the word would change; say spaced=True instead',
        )


def every_place_of_the_group_is_filled(
    language: Language, templates: Sequence[Template], groups: Sequence[Group]
) -> None:
    """A group that stands in several places of a template, as in a story, is filled in at each of them."""
    twice = [replace(template, text=f"[X]: {template.text}") for template in templates]
    for template, _, prompt in rendered(language, twice, groups):
        text = prompt.left + prompt.right
        require("[X]" not in text, f'[X] is left in "{text}", made from "{template.text}": fill every one')


def the_rest_of_the_template_stays(language: Language, templates: Sequence[Template], groups: Sequence[Group]) -> None:
    """The prompt keeps the text between the two slots, which makes the context."""
    for template, _, prompt in rendered(language, templates, groups):
        if not template.group_right_of_slot:
            between = re.findall(r"\w+", template.text.split("[X]")[1].split("[Y]")[0])
            for word in between[-1:]:
                require(word in prompt.left, f'"{word}" of "{template.text}" is gone from "{prompt}"')


def the_same_question_twice(language: Language, templates: Sequence[Template], groups: Sequence[Group]) -> None:
    """Prompts depend on the template and the group alone, not on earlier calls."""
    first = [prompt for *_, prompt in rendered(language, templates, groups)]
    second = [prompt for *_, prompt in rendered(language, templates[::-1], groups[::-1])][::-1]
    require(first == second, "the same template and group are worded in another way the second time")


def phrases_have_every_word_in_its_slot(
    language: Language, _templates: Sequence[Template], groups: Sequence[Group]
) -> None:
    """Two words are joined in the order of their slots; either may get an ending, and no slot is left."""
    names = [group.name for group in groups]
    for one, two in zip(names, (*names[1:], names[0]), strict=True):
        for slots, order in ((("[one]", "[two]"), (one, two)), (("[two]", "[one]"), (two, one))):
            pattern = language.between_words.join(slots)
            made = language.phrase(pattern, {"one": one, "two": two})
            _, first, after = made.casefold().partition(order[0].casefold())
            message = f'phrase("{pattern}") of one="{one}" and two="{two}" is "{made}"'
            require("[" not in made and "]" not in made, f"{message}: a slot is left")
            require(first and order[1].casefold() in after, f"{message}: every word stands where its slot was")


def defaults_exist(language: Language, _templates: Sequence[Template], _groups: Sequence[Group]) -> None:
    """``bvf run --lang CODE`` without other options finds its topic, and its model if that comes with a plugin."""
    plugins = load()
    topics = plugins.topics.in_language(language.code).names()
    require(
        language.default_topic in topics,
        f'the default topic "{language.default_topic}" of {language.code} is not there; there are {", ".join(topics)}',
    )
    scheme, _, name = language.default_model.partition(":")
    if scheme == "bundled":
        require(name in plugins.models.names(), f'the default model "{language.default_model}" is not there')
    require(language.default_model, f"{language.code} names no default model: a hub id will do")


def openings_name_no_group(language: Language, _templates: Sequence[Template], groups: Sequence[Group]) -> None:
    """A pool of openings stands under its name, is in the language, and no sentence of it names a group."""
    for name, pool in language.openings().items():
        require(pool.name == name, f'the openings "{name}" are called "{pool.name}"')
        where = pool.card.language or language.code
        require(where == language.code, f'the openings "{name}" are in {where}, not {language.code}')
        edge = r"\b" if language.between_words else ""
        for group in groups:
            found = next(filter(re.compile(f"{edge}{re.escape(group.name)}{edge}", re.I).search, pool.texts), None)
            require(found is None, f'the opening "{found}" names the group "{group.name}"')


LANGUAGE_CHECKS = (
    the_group_is_in_the_prompt,
    the_prompt_names_its_origin,
    the_slot_is_cut_cleanly,
    every_place_of_the_group_is_filled,
    the_rest_of_the_template_stays,
    the_same_question_twice,
    phrases_have_every_word_in_its_slot,
    defaults_exist,
    openings_name_no_group,
)


def rendered(
    language: Language, templates: Sequence[Template], groups: Sequence[Group]
) -> Iterator[tuple[Template, str, Prompt]]:
    """Yield every combination of template and group, and its unchecked prompt by `Language.agree`."""
    for template in templates:
        for group in groups:
            yield template, group.name, language.agree(template, group.name, group.features)


def miner_checks(miner: Miner, documents: Sequence[Document]) -> list[Check]:
    """Return the checks of a miner. Matches lie inside the documents, and counts of single documents add up.

    Args:
        miner: What its provider makes for a topic.
        documents: Three or more documents, some of which have matches.
    """
    return checks_of(MINER_CHECKS, miner, tuple(documents))


def something_is_found(miner: Miner, documents: Sequence[Document]) -> None:
    """The miner finds a match in the documents."""
    require(bool(miner.find(documents).matches), "no match in any document: give some that have them")


def order_of_documents_does_not_matter(miner: Miner, documents: Sequence[Document]) -> None:
    """The documents in the reverse order give the same counts."""
    require(
        _counted(miner.find(documents)) == _counted(miner.find(documents[::-1])),
        "the counts change with the order of the documents: keep nothing between them",
    )


def documents_do_not_matter_to_each_other(miner: Miner, documents: Sequence[Document]) -> None:
    """Documents one at a time give the same counts as all together."""
    alone = sum((_counted(miner.find([document])) for document in documents), Counter[str]())
    message = "together the documents give other counts than one at a time"
    require(_counted(miner.find(documents)) == alone, message)


def sentences_add_up(miner: Miner, documents: Sequence[Document]) -> None:
    """Neither the number of parsed nor that of dropped sentences is above the number of sentences."""
    mined = miner.find(documents)
    require(
        0 <= mined.parsed <= mined.sentences and sum(mined.dropped.values()) <= mined.sentences,
        f"{mined.sentences} sentences, but {mined.parsed} parsed and {sum(mined.dropped.values())} dropped",
    )


def matches_point_at_the_text(miner: Miner, documents: Sequence[Document]) -> None:
    """Subject and word lie in the document and do not overlap."""
    try:
        mined = miner(documents)
    except ContractError as error:
        raise AssertionError(error.message) from error
    for match in mined.matches:
        subject, word = match.subject, match.word
        names = f'the subject "{subject.of(match.document)}" overlaps the word "{word.of(match.document)}"'
        apart = subject.stop <= word.start or word.stop <= subject.start
        require(apart, f"in {match.document.id} {names}")


MINER_CHECKS = (
    something_is_found,
    order_of_documents_does_not_matter,
    documents_do_not_matter_to_each_other,
    sentences_add_up,
    matches_point_at_the_text,
)


def _counted(mined: Found) -> Counter[str]:
    rows = Counter(f"{match.document.id} {match.subject.start} {match.template.text}" for match in mined.matches)
    return rows + Counter({f"dropped {rule}": count for rule, count in mined.dropped.items()})
