"""ParaRel's own files (Elazar et al. 2021): ``patterns/P36.jsonl`` (wordings), ``trex/P36.jsonl`` (facts)."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bvf import BvfError, ContextSet, Template, Topic
from bvf.domain import Attribute, Meaning, Sampling
from bvf.errors import nearest
from bvf.files import parse_json, read_text

SOURCE = "ParaRel (Elazar et al. 2021), facts from T-REx (Elsahar et al. 2018)"
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Line:
    """A JSON object from one line of a file. ``where`` names file and line for error messages."""

    where: str
    values: dict[str, object]

    def text(self, key: str) -> str:
        """Return the text under a key, stripped. Refuses one that is missing, empty or has control characters."""
        value = self.values.get(key)
        text = value.strip() if isinstance(value, str) else ""
        if not text:
            raise BvfError(f'{self.where}: no "{key}"', f'every line is a JSON object with "{key}"')
        if CONTROLS.search(text):
            raise BvfError(f'{self.where}: "{key}" has a line break or another control character', "leave the line out")
        return text


class ParaRelOptions(BaseModel):
    """The relation of ParaRel that the topic asks about."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    relation: str = Field(default="", description="A relation of the folder, such as P36.")


def read_topic(folder_name: str, options: ParaRelOptions) -> Topic:
    """Return a relation as a topic. Its subjects are the groups, and all its answers the classes.

    A subject with several answers has no single true one: it is left out, and a note says how many are. The named
    folder has the subfolders ``patterns`` and ``trex``.
    """
    spec = f"{folder_name}#{options.relation}"
    folder, relation = _parts(spec)
    answers: dict[str, set[str]] = {}
    for line in _lines(folder / "trex" / f"{relation}.jsonl"):
        answers.setdefault(line.text("sub_label"), set()).add(line.text("obj_label"))
    truth = {subject: next(iter(of_subject)) for subject, of_subject in answers.items() if len(of_subject) == 1}
    candidates = sorted(set().union(*answers.values()))
    if not truth or len(candidates) < 2:
        raise BvfError(f"{folder}: {relation} has no two subjects with one answer each", "choose another relation")
    left_out = len(answers) - len(truth)
    try:
        return Topic(
            schema="bvf.topic/1",
            name=f"pararel/{relation}",
            language="en",
            summary=f"Relation {relation} of ParaRel",
            contexts=f"pararel:{spec}",
            criterion="knowledge:sqrt",
            sources=(f"{SOURCE}, relation {relation}, read from {folder}",),
            groups=tuple(truth),
            attributes=tuple(Attribute(name=answer, words=(answer,)) for answer in candidates),
            measurement=Meaning(
                construct="Whether the model has a fact, and whether it has it in every wording",
                harm="An answer that depends on how one asks, given with the same assurance",
                chosen_by="The authors of ParaRel",
                reference="The answer of T-REx is the true one",
                gaps=(f"{left_out} of {len(answers)} subjects left out: they have several answers",)
                if left_out
                else (),
            ),
            truth=truth,
        )
    except ValidationError as error:
        problem = error.errors()[0]["msg"]
        raise BvfError(f"{folder}: {relation} is not a topic: {problem}", "choose another relation") from error


def read_contexts(spec: str) -> ContextSet:
    """Return the distinct patterns (phrasings) of a relation, ``FOLDER#RELATION``, as contexts of equal weight."""
    folder, relation = _parts(spec)
    templates = []
    for line in _lines(folder / "patterns" / f"{relation}.jsonl"):
        try:
            templates.append(Template(line.text("pattern")))
        except BvfError as error:
            raise BvfError(f"{line.where}: {error.message}", error.hint) from error
    distinct = tuple(dict.fromkeys(templates))
    return ContextSet(
        f"pararel/{relation}", distinct, (1.0,) * len(distinct), f"{SOURCE}, {folder}", sampling=Sampling(written=True)
    )


def _parts(spec: str) -> tuple[Path, str]:
    """The folder and the relation of ``FOLDER#RELATION``. Refuses a folder or relation that does not exist."""
    name, _, relation = spec.partition("#")
    folder = Path(name)
    if not all(os.path.isdir(folder / part) for part in ("trex", "patterns")):  # false for what is no path, too
        raise BvfError(
            f"--topic pararel:{name}: no folders patterns and trex there", "name the folder with ParaRel's data"
        )
    with_facts = sorted({file.stem for file in (folder / "trex").glob("*.jsonl")})
    known = [each for each in with_facts if (folder / "patterns" / f"{each}.jsonl").is_file()]
    if not relation:
        raise BvfError(f"--topic pararel:{name} has {len(known)} relations", f"give --relation: {', '.join(known)}")
    if relation not in known:
        raise BvfError(f"--relation {relation}: not in {folder}", nearest(relation, known))
    return folder, relation


def _lines(file: Path) -> Iterator[Line]:
    for number, text in enumerate(read_text(file).split("\n"), 1):
        if not text.strip():
            continue
        where = f"{file}, line {number}"
        values = parse_json(text, where)
        if not isinstance(values, dict):
            raise BvfError(f"{where}: not a JSON object", "each line is one JSON object")
        yield Line(where, values)
