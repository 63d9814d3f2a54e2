"""Reading a file as a corpus: its documents, or the line that refuses it."""

import pytest
from bvf_mining.corpus import Corpus

from bvf import BvfError


def read(file, **options):
    return list(Corpus((str(file),), **options).documents())


def refused(file, **options):
    with pytest.raises(BvfError) as caught:
        read(file, **options)
    assert "\n" not in caught.value.message
    return caught.value.message
