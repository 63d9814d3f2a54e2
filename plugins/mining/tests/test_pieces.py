"""Who mines the pieces: whatever engine is asked for, always with the same result."""

import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from bvf_mining import pieces
from bvf_mining.config import MineConfig
from bvf_mining.job import engine_of, make_miner, mine
from bvf_mining.pieces import KeyedPieces
from helpers.corpus import TOY_ENGINE, TOY_MINER, write

from bvf.builtin.engines.local import LocalEngine
from bvf.builtin.engines.processes import Processes
from bvf.errors import BvfError, ContractError
from bvf.files.contexts.sampling import record_of, replicates_of
from bvf.files.machine import processors
from bvf.hooks.loader import load
from bvf.interfaces.engine import Engine, Share
from bvf.interfaces.miner import Document, Found, Miner

pytestmark = pytest.mark.usefixtures("small_pieces")


@pytest.fixture
def config(tmp_path, documents):
    corpus = write(tmp_path / "c.jsonl", documents)

    def make(name="set", **options):
        out, plugin = str(tmp_path / f"{name}.csv"), (TOY_MINER, TOY_ENGINE)
        return MineConfig(**{"corpus": (corpus,), "out": out, "plugin": plugin, **options})

    return make


def test_an_engine_of_a_plugin_mines_the_same(config, tmp_path, monkeypatch):
    noted = tmp_path / "noted"
    monkeypatch.setenv("TOY_ENGINE", str(noted))
    mine(config("here", workers=1))
    assert not noted.exists()
    for name, options in {"named": {"engine": "backwards"}, "only": {}, "two": {"engine": "processes:2"}}.items():
        mine(config(name, **options))
        for file in (Path, record_of, replicates_of):
            assert file(tmp_path / f"{name}.csv").read_bytes() == file(tmp_path / "here.csv").read_bytes()
        assert noted.exists() == (name != "two")
        noted.unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("fault", "said"), [("losing", "left .* out"), ("mixing", "of another"), ("repeating", "not asked for or done")]
)
def test_an_engine_that_mixes_pieces_up_is_not_believed(config, tmp_path, fault, said):
    with pytest.raises(ContractError, match=rf"Backwards\.map .*{said}"):
        mine(config(engine=f"backwards:{fault}"))
    assert not (tmp_path / "set.csv").exists()


@pytest.mark.parametrize(
    ("options", "kind", "number"),
    [
        ({"workers": 1}, LocalEngine, 1),
        ({"workers": 3}, Processes, 3),
        ({"engine": "processes:4"}, Processes, 4),
        ({"engine": "local"}, LocalEngine, 1),
        ({"plugin": (TOY_MINER,)}, LocalEngine if processors() == 1 else Processes, processors()),
    ],
)
def test_workers_are_the_short_form(config, options, kind, number):
    made = config(**options)
    engine = engine_of(made, load(extra=made.plugin))
    assert type(engine) is kind
    assert engine.capacity().workers == number


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"engine": "local", "workers": 2}, "--engine local, --workers 2: both say where pieces are mined"),
        ({"engine": "procesess:2"}, 'there is no engine "procesess"'),
        ({"engine": "processes:2", "engine_options": {"gpus": 1}}, "processes has no options, and gpus is set"),
    ],
)
def test_what_is_no_engine_is_refused(config, tmp_path, options, said):
    with pytest.raises(BvfError, match=said):
        mine(config(**options))
    assert not list(tmp_path.glob("set*"))


class Silent(Miner):
    """Finds nothing, and knows what share it was given."""

    def __init__(self, share):
        self.share = share

    def find(self, documents):
        return Found(sentences=self.share.threads)


class Closing(Engine):
    """Knows whether its iterator was closed."""

    closed = False

    def map(self, tasks, work):
        do = work.begin(Share(threads=16))
        try:
            for task in tasks:
                yield task, do(task)
        finally:
            self.closed = True


def outcomes_of(documents, engine, folder):
    return pieces.mine_pieces(pieces.pieces_of(documents, "key"), KeyedPieces(folder), engine, Silent)


def test_every_miner_has_one_thread_on_any_engine_and_the_same_documents_count_each_time(tmp_path):
    for engine in (LocalEngine(), Closing(), Processes("2")):
        found = outcomes_of([Document("same", "x" * 300)] * 5, engine, tmp_path / type(engine).__name__)
        assert [outcome.counts.sentences for outcome in found] == [1] * 5


def test_the_share_reaches_the_miner(config):
    assert make_miner(config()).request.share == Share()
    assert make_miner(config(), Share(1, 2, 1)).request.share == Share(1, 2, 1)


def test_closing_closes_the_engine(tmp_path):
    engine = Closing()
    outcomes = outcomes_of([Document(str(n), "x" * 300) for n in range(5)], engine, tmp_path / "part")
    assert len(list(islice(outcomes, 2))) == 2
    assert not engine.closed
    outcomes.close()
    assert engine.closed


SPY = """
import sys
from bvf import hookimpl, Provider
sys.path.insert(0, {folder!r})
from toy_miner import Toy

class Spying(Toy):
    def find(self, documents):
        with open({file!r}, "a") as file:
            file.write(f"{{sorted({{'torch', 'stanza'}} & set(sys.modules))}}\\n")
        return super().find(documents)

@hookimpl
def bvf_miners():
    return [Provider("spying", Spying, "writes what is imported", language="en")]
"""


@pytest.mark.parametrize("engine", ["local", "processes:2"])
def test_mining_imports_no_torch_of_its_own(config, tmp_path, engine):
    (tmp_path / "spying.py").write_text(SPY.format(folder=str(Path(TOY_MINER).parent), file=str(tmp_path / "spied")))
    code = f"""
import sys
from bvf_mining.job import mine
from bvf_mining.config import MineConfig

if __name__ == "__main__":
    mine(MineConfig(corpus=({config().corpus[0]!r},), out={str(tmp_path / "set.csv")!r}, engine={engine!r},
                    plugin=({str(tmp_path / "spying.py")!r},)))
    print(sorted({{"torch", "stanza"}} & set(sys.modules)))
"""
    (tmp_path / "start.py").write_text(code)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "start.py")],
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.stdout == "[]\n", done.stderr
    assert set((tmp_path / "spied").read_text().splitlines()) == {"[]"}
    assert (tmp_path / "set.csv").exists()
