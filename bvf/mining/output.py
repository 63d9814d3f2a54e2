"""The files that mining writes: the context set, the replicates and the record beside it, and the matches."""

import csv
import io
import json
import re
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bvf.errors import BvfError
from bvf.files.contexts import OF_THE_CORPUS
from bvf.files.remote import is_remote, path_in
from bvf.files.replicates import Replicates, write_replicates
from bvf.files.sampling import record_of, replicates_of
from bvf.files.writing import replacing, write_text
from bvf.mining.config import MineConfig
from bvf.mining.corpus import HUB, STANDARD_INPUT
from bvf.mining.tally import Finding, Line

ENDINGS = re.compile(r"\.(txt|jsonl|csv|tsv|parquet|xml)(\.\w+)?$")


def output_files(config: MineConfig) -> dict[str, Path]:
    """Return the file of each corpus: ``out`` itself for one, ``out/NAME.csv`` for several."""
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
    """Return the file for the matches of a corpus."""
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


def write_set(
    file: Path, lines: list[Line], examples: bool, redrawn: NDArray[np.unsignedinteger], record: dict[str, Any]
) -> None:
    """Write a context set as CSV, and beside it its counts in resampled documents, shape (C, R), and its record.

    Without ``examples``, the set has no sentence of the corpus.
    """
    columns = [field.name for field in fields(Line) if examples or field.name not in OF_THE_CORPUS]
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(line) for line in lines)
    write_text(file, text.getvalue())
    counts = np.array([line.count for line in lines], dtype=np.float64)
    write_replicates(replicates_of(file), Replicates(tuple(line.template for line in lines), counts, redrawn))
    write_text(record_of(file), json.dumps(record, indent=1, ensure_ascii=False) + "\n")


def write_matches(file: Path, findings: Iterable[Finding]) -> None:
    """Write matches, one JSON line each."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with replacing(file) as out:
        for finding in findings:
            out.write(f"{json.dumps(finding.row(), ensure_ascii=False)}\n".encode())
