"""Reading a file as a corpus: its documents, or the line that refuses it."""

import pytest
from bvf_mining.corpus import Corpus

from bvf import BvfError


def read(*files, **options):
    return list(Corpus(tuple(map(str, files)), **options).documents())


def refused(file, **options):
    with pytest.raises(BvfError) as caught:
        read(file, **options)
    assert "\n" not in caught.value.message
    return caught.value.message


def documents_or_error(file, **options):
    try:
        return read(file, **options), ""
    except BvfError as error:
        return [], error.message
