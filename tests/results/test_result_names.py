"""Results have names of their own."""

import pytest
from pydantic import ValidationError

from bvf.results.columns import result_columns
from bvf.results.result import ResultBase, name_of, names_of, with_distinct_names
from bvf.results.sections import notebook_sections


def test_results_of_one_model_are_told_apart_by_what_differs(result, several):
    assert names_of([result]) == ("toy:hash",)
    assert names_of([result, several]) == ("toy:hash, gender", "toy:hash, weekday")
    assert names_of([result, result]) == (f"toy:hash, {result.folder}",) * 2
    ours = result.model_copy(update={"wording": "chat-assistant"})
    assert names_of([result, ours]) == ("toy:hash (bare)", "toy:hash (chat, assistant's turn)")
    elsewhere = result.model_copy(update={"contexts": "other.csv"})
    assert names_of([result, elsewhere, several])[1] == "toy:hash, gender, other"


@pytest.mark.parametrize(
    ("choices", "names"),
    [
        ({"number_of_contexts": 3}, ("toy:hash (12 contexts)", "toy:hash (3 contexts)")),
        ({"system": "Be brief."}, ("toy:hash", "toy:hash (system: Be brief.)")),
    ],
)
def test_each_warning_and_column_of_a_table_has_the_name_that_distinguishes_its_run(result, choices, names):
    result = in_12_contexts(result).model_copy(update={"warnings": ("hardly any mass",)})
    other = result.model_copy(update=choices)
    first, *_ = notebook_sections([result, other])
    assert first.warnings == [f"WARNING: {name}: hardly any mass" for name in names]
    of_columns = [line.rpartition(" (words: ")[0] for line in first.subtitle if "the probability" in line]
    assert of_columns == [f"{letter}: {name}" for letter, name in zip("AB", names, strict=True)]


def test_a_chat_by_itself_is_called_one_and_only_once(result):
    chat = result.model_copy(update={"wording": "chat"})
    (named,) = with_distinct_names(with_distinct_names([chat]))
    assert name_of(named) == name_of(chat) == "toy:hash (chat)"
    assert chat.model == "toy:hash"
    assert ", toy:hash (chat), criterion linf" in notebook_sections([chat])[0].title
    assert name_of(result) == "toy:hash"


def test_an_analysis_of_others_may_have_fields_of_any_name(result):
    class Theirs(ResultBase):
        name: str
        named: str
        size: int

    fields = {name: getattr(result, name) for name in ResultBase.model_fields}
    theirs = Theirs(**fields, name="J", named="K", size=3)
    (shown,) = with_distinct_names([theirs])
    assert (shown.name, shown.named, shown.size, name_of(shown)) == ("J", "K", 3, "toy:hash")
    with pytest.raises(ValidationError, match="size"):
        Theirs(**fields, name="J", named="K")


def test_numbers_of_contexts_are_a_column_where_they_differ(result):
    drawn, result = result, in_12_contexts(result)
    fewer = result.model_copy(update={"number_of_contexts": 3, "model": "other"})
    elsewhere = fewer.model_copy(update={"contexts": "/a/few.csv"})
    assert [column.title for column in result_columns([result, result])] == ["model"]
    assert [result_columns([result, fewer])[1].text(each) for each in (result, fewer)] == ["12", "3"]
    _, contexts = result_columns([result, elsewhere])
    assert [contexts.text(each) for each in (result, elsewhere)] == ["gender-mixed, 12", "few, 3"]
    assert result_columns([drawn, fewer])[1].text(drawn) == f"{drawn.uncertainty.draws} drawn"


def in_12_contexts(result):
    """The result as if all 12 contexts had been asked, and none drawn."""
    asked = result.uncertainty.model_copy(update={"draws": None})
    return result.model_copy(update={"number_of_contexts": 12, "uncertainty": asked})
