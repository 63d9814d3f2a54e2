"""Results of knowledge that several tests read."""

import pytest

CONTINENTS = {"topic": "knowledge/continents", "contexts": "", "sample_contexts": 0}


@pytest.fixture(scope="session")
def continents(run_of):
    """Ask about the continents of countries, with other choices."""

    def ask(**choices):
        return run_of(**CONTINENTS, **choices)

    return ask


@pytest.fixture(scope="session")
def whole(continents):
    """All subjects, as a run without options has them."""
    return continents(limit_groups=0)
