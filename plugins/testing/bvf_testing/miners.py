"""Checks of miners."""

from collections import Counter
from collections.abc import Sequence

from bvf.errors import ContractError
from bvf.interfaces import Document, Found, Miner
from bvf_testing.check import Check, checks_of, require


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
