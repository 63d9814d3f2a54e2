"""The files that mining writes: their names and content. A check protects the user's files."""

import csv
import io
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from bvf import BvfError
from bvf.files import (
    Folder,
    FolderKind,
    Output,
    Replicates,
    disk_errors_explained,
    is_mining_record,
    is_written_set,
    record_of,
    refuse_stated,
    replicates_of,
)
from bvf_mining.config import MineConfig
from bvf_mining.corpora import files_of
from bvf_mining.corpus import HUB, STANDARD_INPUT, hub_folder, is_local
from bvf_mining.pieces import KeyedPieces
from bvf_mining.remote import is_remote, path_in
from bvf_mining.tally import Finding, Line

MATCH = {field.name for field in fields(Finding)}
LONGEST_MATCH = 1 << 20
ANY = FolderKind({".*": 1 << 40})
"""A folder of the user."""
ENDINGS = re.compile(r"\.(txt|jsonl|csv|tsv|parquet|xml)(\.\w+)?$")


def output_files(config: MineConfig) -> dict[str, Path]:
    """Return the output file of each corpus: ``out`` for one corpus, ``out/NAME.csv`` for several."""
    out = Path(config.out)
    if len(config.corpus) == 1:
        if out.suffix != ".csv":
            raise BvfError(f"--out {out}: a context set is a .csv", f"--out {out.stem or 'contexts'}.csv")
        return {config.corpus[0]: out}
    files = {source: out / f"{name_of(source)}.csv" for source in config.corpus}
    if len(set(files.values())) < len(config.corpus):
        raise BvfError(f"two of {', '.join(config.corpus)} would be written to one file", "mine them one after another")
    return files


def matches_file(config: MineConfig, source: str) -> Path:
    """Return the file for the matched sentences of a corpus."""
    matches = Path(config.matches)
    return matches if len(config.corpus) == 1 else matches / f"{name_of(source)}.jsonl"


def name_of(source: str) -> str:
    """Return the name of a corpus: ``novels`` for ``data/novels.jsonl.zst``.

    >>> name_of("data/novels.jsonl.zst"), name_of("hf:wikimedia/wikipedia/20231101.en"), name_of("-")
    ('novels', 'wikimedia-wikipedia-20231101.en', 'stdin')
    """
    if source == STANDARD_INPUT:
        return "stdin"
    if source.startswith(HUB):
        name = source.removeprefix(HUB).rstrip("/").replace("/", "-")
    else:
        name = path_in(source).name if is_remote(source) else Path(source).name
    return re.sub(r"[^\w.-]+", "-", ENDINGS.sub("", name)).strip("-.") or "corpus"


def check_outputs(config: MineConfig) -> None:
    """Raise `BvfError` if an output would overwrite a file that it must not, or cannot be written."""
    read, outputs = list(_read(config)), list(_outputs(config))
    for place, output in enumerate(outputs):
        later = [(f"written by {other.option}", other.file) for other in outputs[place + 1 :]]
        output.check([*read, *later], force=config.force)
        with disk_errors_explained(output.named, output.hint):
            folder = next(parent for parent in output.file.parents if parent.exists())
            if not folder.is_dir() or not os.access(folder, os.W_OK):
                raise BvfError(f"{output.named}: {folder} is not a folder that can be written to", output.hint)
    for file in output_files(config).values():
        refuse_stated("--out", file)
        KeyedPieces.beside(file).check()


def _outputs(config: MineConfig) -> Iterator[Output]:
    for source, file in output_files(config).items():
        yield Output("--out", file, is_written_set)
        yield Output("the record beside --out,", record_of(file), is_mining_record)
        yield Output("the replicates beside --out,", replicates_of(file), Replicates.are_in)
        if config.matches:
            yield Output("--matches", matches_file(config, source), are_matches)


def are_matches(file: Path) -> bool:
    """Whether a file has the matches of a corpus. Its first line decides."""
    with file.open("rb") as content, suppress(ValueError):
        return isinstance(row := json.loads(content.readline(LONGEST_MATCH)), dict) and {*row, "cue"} == MATCH
    return False


def _read(config: MineConfig) -> Iterator[tuple[str, Path]]:
    """Every file that is read, with standard input, and standard output."""
    yield from ((f"{file}, which is read", file) for file in _files_read(config))
    for stream, name in ((sys.stdin, "standard input"), (sys.stdout, "standard output")):
        with suppress(OSError, ValueError, AttributeError):
            yield name, Path(f"/dev/fd/{stream.fileno()}")


def _files_read(config: MineConfig) -> Iterable[Path]:
    for source in config.corpus:
        if is_local(source):
            yield from files_of(source)
        elif folder := hub_folder(source):
            yield from folder.rglob("*")
    yield from (Path(str(name)) for name in (config.topic, *config.plugin) if str(name).endswith((".toml", ".py")))


def write_set(
    file: Path, lines: list[Line], examples: bool, redrawn: NDArray[np.unsignedinteger], record: dict[str, Any]
) -> None:
    """Write a context set as CSV, without columns that are empty or quote the corpus at need, and what is beside it."""
    without = {*(() if examples else ("document", "example")), *(() if any(line.cue for line in lines) else ("cue",))}
    columns = [field.name for field in fields(Line) if field.name not in without]
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(line) for line in lines)
    counts = np.array([line.count for line in lines], dtype=np.float64)
    beside = Folder(file.parent, ANY)  # the record comes first: by it bvf knows the set as its own
    beside.write(record_of(file).name, json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    with beside.replacing(replicates_of(file).name) as out:
        Replicates(tuple(line.template for line in lines), counts, redrawn).write(out)
    with _replacing(file) as out:
        out.write(text.getvalue().encode())


def write_matches(file: Path, findings: Iterable[Finding]) -> None:
    """Write matched sentences, each as a line of JSON."""
    with _replacing(file) as out:
        for finding in findings:
            out.write(f"{json.dumps(finding.row(), ensure_ascii=False)}\n".encode())


def _replacing(file: Path) -> AbstractContextManager[BinaryIO]:
    """A new file that replaces one that the user names. A link stays a link to it."""
    whole = file.resolve()
    return Folder(whole.parent, ANY).replacing(whole.name)
