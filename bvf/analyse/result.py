"""What a run found: the file ``result.json``, the value of `bvf.run`, what reports draw."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from bvf.errors import BvfError
from bvf.files.digests import digest_of, digest_of_bytes
from bvf.files.parsing import is_file, parse_json, read_bytes
from bvf.interfaces.backend import Wording
from bvf.measure.checks import CandidateMass
from bvf.measure.record import RESULT, read_record

if TYPE_CHECKING:
    import pandas as pd

    from bvf.files.shards import Answers


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class _Group(_Frozen):
    """What is said of every group: its English gloss, its weight P(x), E_c[p(y | x, c)], and p*(y | x)."""

    group: str
    gloss: str = ""
    weight: float
    mean_probabilities: dict[str, float]
    reference_probabilities: dict[str, float]


class GroupRisk(_Group):
    """One group: r_x, r_x^b, r_x^v (Eq. 3, 5, 6), and how far it is from what all groups have in common."""

    r: float
    r_bias: float
    r_volatility: float
    spread: float = Field(
        description="Standard deviation over contexts of the probability of the class that the group leans to"
    )
    changes_sides: bool = Field(description="Whether the class that the group leans to changes with the context")
    particular: float | None = Field(
        description="E_c[J(s - m/p*)] with m = E_x[p - p*]; null where Result.particular is"
    )
    particular_bias: float | None = Field(description="J(E_c[s - m/p*])")
    particular_volatility: float | None = Field(description="particular - particular_bias")
    apart: dict[str, float] | None = Field(
        description="E_c[p - p* - m] of each class: how far its mean prediction is from what all groups share"
    )


class GroupKnowledge(_Group):
    """One subject: its true answer, and the scores of it (Appendix E.1).

    ``says`` is the answer that is most probable under E_c[p]; None where two share that place.
    """

    truth: str
    says: str | None
    mastery: float
    expected_score: float
    confidence_gap: float
    consistency: float | None


class _Measured(_Frozen):
    """What every result says, whatever was measured."""

    model: str
    backend: str
    wording: Wording = Field("bare", description="bare: contexts as they are; chat: each in the user's turn of a chat")
    system: str = Field("", description="What the system's turn of the chat said")
    topic: str
    language: str
    criterion: str
    reference: str
    contexts: str
    number_of_contexts: int
    effective_contexts: float = Field(description="1 / sum of the squared context weights")
    prompts: int
    missing: int = Field(description="Prompts that could not be scored; they count for nothing.")
    word_boundary: bool = Field(False, description="A word counts only where it ends: no 'he' in 'heir'")
    tolerance: float = Field(0.0, description="What --tolerance allowed; 0: every word was asked")
    deviation_bound: float = Field(0.0, description="No class probability is further than this from the exact one")
    candidate_mass: CandidateMass
    warnings: tuple[str, ...] = Field(description="What makes the figures doubtful, one sentence each")
    notes: tuple[str, ...] = Field(description="What was left out or chosen, one sentence each")
    groups: tuple[GroupRisk | GroupKnowledge, ...]
    _folder: Path | None = PrivateAttr(default=None)

    @property
    def folder(self) -> Path | None:
        """Where the result lies, with its probabilities; None if it was never stored."""
        return self._folder

    def stereotypes(self) -> "pd.DataFrame":
        """Return the distribution: a row per group, context and class, with p(y | x, c) and s = p / p* - 1 (Eq. 1).

        Groups that are not in the result are left out.

        Raises:
            BvfError: The result was not stored, its folder is gone, or not all of its own probabilities are there.
        """
        import pandas as pd

        from bvf.files.shards import FOLDER, PREFIX

        if self._folder is None or not (self._folder / FOLDER).is_dir():
            raise BvfError("this result has no folder with probabilities", "read it with bvf.read_result(FOLDER)")
        classes = list(self.groups[0].reference_probabilities)
        columns = [f"{PREFIX}{name}" for name in classes]
        parts = []
        for shard in self._shards(self._folder, classes):
            named = {"group": shard.groups, "context": shard.contexts, "weight": shard.weights}
            parts.append(pd.DataFrame({**named, **dict(zip(columns, shard.probabilities.T, strict=True))}))
        wide = pd.concat(parts)
        wide = wide[wide["group"].isin([group.group for group in self.groups])]
        long = wide.melt(["group", "context", "weight"], columns, var_name="attribute", value_name="probability")
        long["attribute"] = long["attribute"].str.removeprefix(PREFIX)
        p_star = {(g.group, name): p for g in self.groups for name, p in g.reference_probabilities.items()}
        keys = zip(long["group"], long["attribute"], strict=True)
        long["stereotype"] = long["probability"] / np.array([p_star[key] for key in keys]) - 1.0
        return long.reset_index(drop=True)

    def _shards(self, folder: Path, classes: list[str]) -> "list[Answers]":
        """The shards of this result's own run, in the order of their questions."""
        from bvf.files.shards import FOLDER, read_shard, shard_files

        run = digest_of(read_record(folder).identity)
        try:
            read = [read_shard(file, classes, bool(self.tolerance)) for _, file in shard_files(folder / FOLDER)]
        except OSError as error:
            raise BvfError(f"{folder / FOLDER}: cannot be read: {error.strerror}") from error
        own = sorted((found for found in read if found and found[0].run == run), key=lambda found: found[0].start)
        ends = [0, *(place.stop for place, _ in own)]
        if [place.start for place, _ in own] != ends[:-1] or ends[-1] != self.prompts:
            raise BvfError(f"{folder / FOLDER}: not all shards of this result are there", "run the same command again")
        return [shard for _, shard in own]

    def to_frame(self) -> "pd.DataFrame":
        """Return a row per group.

        The mean probabilities are columns ``p_CLASS``; the signed leans E_c[p] - p* are columns ``lean_CLASS``.
        """
        import pandas as pd

        rows = []
        for group in self.groups:
            row = group.model_dump(exclude={"mean_probabilities", "reference_probabilities", "apart"})
            mean, p_star = group.mean_probabilities, group.reference_probabilities
            means = {f"p_{name}": p for name, p in mean.items()}
            leans = {f"lean_{name}": p - p_star[name] for name, p in mean.items()}
            rows.append({**row, **means, **leans})
        return pd.DataFrame(rows)


class Result(_Measured):
    """R, R^b and R^v of a model (Eq. 4 and 7), what groups share and what sets them apart, and the same of each group.

    ``shared`` and ``particular`` are null for a criterion that is not sublinear and for one group. Where they are
    there, R <= shared + particular.
    """

    schema_: Literal["bvf.result/2"] = Field("bvf.result/2", alias="schema")
    scale: Literal["unit", "raw"]
    divisor: float = Field(
        description="Every risk has been divided by it: on the unit scale the risk of a model that is certain of the "
        "least likely class everywhere, averaged over groups; on the raw scale 1"
    )
    R: float
    R_bias: float
    R_volatility: float
    spread: float = Field(description="The spread of groups, averaged over P(X)")
    groups_changing_sides: int
    shared: float | None = Field(
        description="E_x[E_c[J(m/p*)]] with m = E_x[p - p*]: the risk of what all groups share"
    )
    shared_bias: float | None = Field(description="E_x[J(E_c[m/p*])]")
    shared_volatility: float | None = Field(description="shared - shared_bias")
    particular: float | None = Field(description="E_x[E_c[J(s - m/p*)]]: the risk of what sets groups apart")
    particular_bias: float | None = Field(description="E_x[J(E_c[s - m/p*])]")
    particular_volatility: float | None = Field(description="particular - particular_bias")
    groups: tuple[GroupRisk, ...]


class KnowledgeResult(_Measured):
    """Mastery, expected score and confidence gap of a model (Appendix E.1), and of each subject.

    All figures are weighted by P(X).
    """

    schema_: Literal["bvf.knowledge/2"] = Field("bvf.knowledge/2", alias="schema")
    mastery: float
    expected_score: float
    confidence_gap: float
    accuracy: float = Field(description="Share of subjects whose true answer is the most probable one under E_c[p]")
    consistency: float | None = Field(
        description="Share of the pairs of contexts with the same answer on top, right or wrong; null for one context"
    )
    distractors: int = Field(0, description="Wrong answers that a subject chooses among; 0: all answers of the topic")
    chance: float = Field(description="Accuracy of an answer drawn at random from those that a subject chooses among")
    most_frequent_answer: str | None = Field(
        description="What the model says of most subjects; null if it says nothing"
    )
    subjects_with_it: int = Field(description="Number of subjects of which the model says that")
    groups: tuple[GroupKnowledge, ...]


AnyResult = Result | KnowledgeResult


def read_result(folder: Path | str) -> AnyResult:
    """Read the result in a folder; the plugins that made it are not needed.

    ``run.json`` beside it holds the digest of its bytes, so that a digit that changed on a disk is no result. This
    finds damage; somebody who changes both files on purpose is not found out.

    Raises:
        BvfError: There is no finished result, it is not as it was written, or it is of another schema.
    """
    file = Path(folder) / RESULT
    if not is_file(file):
        raise BvfError(
            f"{file}: cannot be read: no such file", "a run that was cut off has no result yet: run it again"
        )
    content = read_bytes(file)
    if digest_of_bytes(content) != read_record(Path(folder)).result_digest:
        raise BvfError(f"{file}: not as it was written", "run the same command again: what is scored is kept")
    try:
        raw = parse_json(content.decode(), str(file))
        kinds: dict[str, type[Result] | type[KnowledgeResult]] = {
            "bvf.result/2": Result,
            "bvf.knowledge/2": KnowledgeResult,
        }
        result = kinds[raw["schema"]].model_validate(raw)
    except (UnicodeDecodeError, KeyError, TypeError, ValidationError) as error:
        raise BvfError(f"{file}: not a result of this version of bvf") from error
    result._folder = Path(folder)
    return result
