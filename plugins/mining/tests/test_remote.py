"""Corpora that lie elsewhere: over HTTP from a server on this machine, and on a file system of fsspec."""

import bz2
import gzip
from functools import partial
from http.server import SimpleHTTPRequestHandler

import fsspec
import pytest
from bvf_mining.corpus import Corpus
from bvf_mining.remote import public
from helpers.corpus import jsonl, named, parquet, read, refused, zst
from helpers.served import Says, served

TEXTS = [f"The nurse said that {n} left." for n in range(200)]
PAGES = (f"<page><title>P</title><ns>0</ns><revision><text>{text}</text></revision></page>" for text in TEXTS)
FILES = {
    "a.txt": "\n\n".join(TEXTS).encode(),
    "a.jsonl.gz": gzip.compress(jsonl(named(TEXTS))),
    "a.jsonl.zst": zst(jsonl(named(TEXTS))),
    "a.parquet": parquet([{"text": text} for text in TEXTS]),
    "a.xml.bz2": bz2.compress(f"<mediawiki>{''.join(PAGES)}</mediawiki>".encode()),
}


class Quiet(Says, SimpleHTTPRequestHandler):
    """Ends too early where the path says so."""

    def do_GET(self):
        if not self.path.startswith("/short/"):
            return super().do_GET()
        content = FILES["a.txt"]
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:100])
        return None

    def do_HEAD(self):
        if self.path.startswith("/short/"):
            self.send_response(200)
            self.end_headers()
        else:
            super().do_HEAD()


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "a.pdf").write_bytes(b"no corpus")
    (folder / "cut.jsonl.zst").write_bytes(FILES["a.jsonl.zst"][:-20])
    with served(partial(Quiet, directory=folder)) as server:
        yield f"http://127.0.0.1:{server.server_port}"


@pytest.fixture
def memory():
    system = fsspec.filesystem("memory")
    for name, content in FILES.items():
        system.pipe(f"/corpus/{name}", content)
    yield "memory://corpus"
    system.rm("/corpus", recursive=True)


def texts_in(source):
    return [document.text for document in read(source)]


@pytest.mark.parametrize("name", FILES)
def test_a_corpus_of_a_server_is_read_as_it_comes(web, name):
    assert texts_in(f"{web}/{name}") == TEXTS
    assert texts_in(f"{web}/{name}?download=1") == TEXTS


def test_the_password_and_the_token_of_an_address_are_not_stored(web):
    address = web.replace("://", "://me:PASSWORD@") + "/a.txt?signature=TOKEN"
    assert public(address) == f"{web}/a.txt"
    documents = read(address)
    assert documents
    assert not any(secret in repr(document) for document in documents for secret in ("PASSWORD", "TOKEN"))
    assert "TOKEN" not in refused(f"{web}/none.txt?signature=TOKEN")


@pytest.mark.parametrize("name", FILES)
def test_a_corpus_of_any_file_system_is_read(memory, name):
    corpus = Corpus((f"{memory}/{name}",))
    assert [document.text for document in corpus.documents()] == TEXTS
    assert corpus.progress.share() == 1


def test_folders_and_globs_are_read_by_name(memory):
    fsspec.filesystem("memory").pipe("/corpus/notes.pdf", b"no corpus")
    assert texts_in(memory) == TEXTS * len(FILES)
    assert texts_in(f"{memory}/*.jsonl.*") == TEXTS * 2


def test_what_cannot_be_read_is_one_line(web, memory):
    assert refused(f"{web}/nothing.txt") == f"{web}/nothing.txt: there is no such corpus"
    assert refused(f"{memory}/nothing/*.txt") == f"{memory}/nothing/*.txt: there is no such corpus"
    assert "cannot read a corpus from this kind of file" in refused(f"{web}/a.pdf")
    assert refused(f"{web}/cut.jsonl.zst").startswith(f"{web}/cut.jsonl.zst: damaged or cut off")
    assert refused(f"{web}/short/a.txt").startswith(f"{web}/short/a.txt: cannot be read: ")
    assert refused("nothing://a.txt") == "nothing://a.txt: cannot be read: Protocol not known: nothing"
    assert refused("http://127.0.0.1:1/a.txt") == "http://127.0.0.1:1/a.txt: there is no such corpus"
