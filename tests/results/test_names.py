"""Results have names of their own."""

from bvf.results.names import names_of


def test_results_of_one_model_are_told_apart_by_what_differs(result, several):
    assert names_of([result]) == ("toy:hash",)
    assert names_of([result, several]) == ("toy:hash, gender", "toy:hash, weekday")
    assert names_of([result, result]) == (f"toy:hash, {result.folder}",) * 2
    ours = result.model_copy(update={"wording": "chat-assistant"})
    assert names_of([result, ours]) == ("toy:hash, bare", "toy:hash, chat, assistant's turn")
    elsewhere = result.model_copy(update={"contexts": "other.csv"})
    assert names_of([result, elsewhere, several])[1] == "toy:hash, gender, other"
