"""Corpora that are mined in several pieces."""

import pytest
from bvf_mining import pieces
from helpers.corpus import sentences


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(pieces, "PIECE", 200)


@pytest.fixture(scope="session")
def documents():
    """Texts by their names."""
    return {f"d{number}": text for number, text in enumerate(sentences(40))}
