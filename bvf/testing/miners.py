"""What miners must do."""

from collections.abc import Sequence

from bvf.errors import ContractError
from bvf.mining import Document, Miner
from bvf.testing.check import Check, checks_of, require


def miner_checks(miner: Miner, documents: Sequence[Document]) -> list[Check]:
    """Return the checks of a miner: its counts depend on the documents alone, and its matches point at them.

    Args:
        miner: As its provider makes it for a topic.
        documents: Three or more, with matches in some.
    """
    return checks_of(MINER_CHECKS, miner, tuple(documents))


def something_is_found(miner: Miner, documents: Sequence[Document]) -> None:
    """The documents of this check have matches."""
    require(
        any(True for d in documents for _ in miner.matches(d)), "no match in any document: give some that have them"
    )


def order_of_documents_does_not_matter(miner: Miner, documents: Sequence[Document]) -> None:
    """The same counts come from the documents in the other order."""
    one, other = miner.mine(documents), miner.mine(documents[::-1])
    require(
        (one.templates, one.counts) == (other.templates, other.counts),
        "the counts change with the order of the documents: keep nothing between them",
    )


def documents_add_up(miner: Miner, documents: Sequence[Document]) -> None:
    """A document that is there twice counts twice."""
    once, twice = miner.mine(documents), miner.mine([*documents, *documents])
    require(
        twice.counts == tuple(2 * count for count in once.counts) and once.templates == twice.templates,
        "the same documents twice do not give twice the counts",
    )


def matches_point_at_the_text(miner: Miner, documents: Sequence[Document]) -> None:
    """Subject and word lie in the document and do not overlap."""
    try:
        miner.mine(documents)
    except ContractError as error:
        raise AssertionError(str(error)) from error
    for document in documents:
        for match in miner.matches(document):
            subject, word = match.subject, match.word
            require(
                subject.stop <= word.start or word.stop <= subject.start,
                f'in {document.id} the subject "{subject.of(document)}" overlaps the word "{word.of(document)}"',
            )


MINER_CHECKS = (
    something_is_found,
    order_of_documents_does_not_matter,
    documents_add_up,
    matches_point_at_the_text,
)
