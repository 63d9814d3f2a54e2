"""Differences between a run and a baseline run, over their common groups and contexts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from pydantic import Field

from bvf.arrays import FloatArray
from bvf.domain.asked import Asked
from bvf.domain.numbers import Count, Record
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.measuring.folder import read_measurement
from bvf.results.figure import Figure, Figures
from bvf.stats.comparing.comparison import Difference, differences
from bvf.stats.comparing.planning import Need, need_to_decide
from bvf.stats.sampling.samples import ContextSample
from bvf.study.config import AnalysisConfig
from bvf.study.pairing import Pairing, paired
from bvf.study.uncertainty import Uncertainty, uncertainty_of


class SharedChoices(Record):
    """The groups, contexts and prompts in which two runs are compared."""

    groups: Count
    groups_left_out: Count = Field(description="That one of them was not asked, or that have no weight or answer")
    contexts: Count
    contexts_left_out: Count = Field(description="In which one of them was not asked")
    prompts_left_out: Count = Field(description="Pairs of group and context in which one of them gives no answer")
    draws: Count | None = Field(description="Contexts that were drawn in both; null: nothing was drawn")
    notes: tuple[str, ...]

    @property
    def described(self) -> str:
        """One line on the groups, contexts and prompts that were left out; empty if nothing was."""
        parts = [
            f"{count:,} of {count + left_out:,} {what}"
            for what, count, left_out in (
                ("groups", self.groups, self.groups_left_out),
                ("contexts", self.contexts, self.contexts_left_out),
            )
            if left_out
        ]
        parts += [f"without {self.prompts_left_out:,} prompts"] if self.prompts_left_out else []
        return f"compared in {', '.join(parts)}" if parts else ""


@dataclass(frozen=True)
class Baseline:
    """Differences of figures (such as R) between a run and a baseline run, over their common groups and contexts.

    Args:
        pairing: The run, then the baseline.
        drawn: Number of contexts drawn for each run, by its folder; empty: both were measured in all contexts.
    """

    pairing: Pairing
    drawn: Mapping[str, int]

    @classmethod
    def of(
        cls, run: Figures, folder: str, config: AnalysisConfig, plugins: Plugins, preferred: Sequence[str] = ()
    ) -> Self:
        """Return the differences between a run and the one in ``folder``. ``config`` is the analysis of the two.

        If ``config`` names no criterion, one that the ``preferred`` plugins offer is used.

        Raises:
            BvfError: The two are the same run, or cannot be compared; the message says why.
        """
        ours = run.study.measurement
        other = read_measurement(folder, words=bool(config.words))
        if other.record.digest == ours.record.digest:
            raise BvfError(
                f"{folder} is the same measurement as {ours.folder}: a run compared with itself",
                "name the folder of another model",
            )
        draws = {str(each.folder): each.record.asked.draws for each in (ours, other)}
        drawn = {name: each.number for name, each in draws.items() if each is not None}
        return cls(paired((ours, other), config, plugins, preferred), drawn)

    @property
    def asked(self) -> Asked:
        """The groups, contexts and classes common to the run and the baseline."""
        return self.pairing.models[0].measurement.record.asked

    @property
    def uncertainty(self) -> Uncertainty:
        """Population, sampling unit and sample size of the common contexts, without intervals."""
        return uncertainty_of(self.pairing.models[0].measurement, self.pairing.choices)

    @property
    def sample(self) -> ContextSample | None:
        """The common contexts as a random sample of their source; None if they are not."""
        return self.pairing.sample

    @property
    def in_common(self) -> SharedChoices:
        """The groups, contexts and prompts in which run and baseline are compared, and the numbers left out."""
        left_out, asked = self.pairing.left_out, self.asked
        return SharedChoices(
            groups=len(self.groups),
            groups_left_out=len(asked.groups) + left_out.groups - len(self.groups),
            contexts=len(asked.in_order),
            contexts_left_out=left_out.contexts,
            prompts_left_out=left_out.prompts,
            draws=None if asked.draws is None else asked.draws.number,
            notes=self.pairing.notes,
        )

    def short_of(self, contexts: int) -> tuple[str, ...]:
        """Return the folders of runs that drew fewer than ``contexts`` contexts.

        If no more than ``contexts`` contexts could be asked, these are all runs that drew contexts.
        """
        whole = contexts >= self.asked.every_context
        return tuple(folder for folder, number in self.drawn.items() if whole or number < contexts)

    @property
    def undefined(self) -> str:
        """Why differences have no interval; empty if they have one."""
        return self.pairing.undefined

    @cached_property
    def groups(self) -> list[str]:
        """The names of the groups X common to the run and the baseline."""
        return [group.name for group in self.pairing.groups]

    @cached_property
    def both(self) -> tuple[Figures, Figures]:
        """The figures (such as R) of the run, and those of the baseline."""
        ours, theirs = (Figures(study, self.pairing.analysis) for study in self.pairing.models)
        return ours, theirs

    def value(self, figure: Figure) -> float:
        """Return the value of a figure for the run minus its value for the baseline.

        Raises:
            BvfError: The run or the baseline has no such figure.
        """
        names = self.both[0].averaged(of_group=bool(figure.group))
        if figure.field not in names:
            raise BvfError(f'two runs are not compared by "{figure}"', f"they are by {', '.join(names)}")
        if figure.group and figure.group not in self.groups:
            raise BvfError(f'not both runs have the group "{figure.group}"', "bvf show DIR --show all lists them")
        ours, theirs = (each.value_of_average(figure) for each in self.both)
        return ours - theirs

    def difference(self, figure: Figure) -> Difference | None:
        """Return the tested difference in a figure, with its interval; None if there is none."""
        ours, theirs = self.both
        first, second = ours.average(figure), theirs.average(figure)
        if first is None or second is None:
            return None
        (one, place), (other, _) = first, second
        level, bounds = self.pairing.choices.level, (one.within, other.within)
        return differences(one.sampled, other.sampled, ours.weights(figure), level, bounds)[place]

    def ends(self, figure: Figure) -> tuple[float, float] | None:
        """Return the ends of the interval of the difference in a figure; None if there is none."""
        difference = self.difference(figure)
        return None if difference is None else (float(difference.low), float(difference.high))

    def influence(self, figure: Figure) -> FloatArray | None:
        """Return the influence of an occurrence of each context on the difference, (C,); None without an interval."""
        ours, theirs = (each.influence(figure) for each in self.both)
        return None if ours is None or theirs is None else ours - theirs

    def excess(self, figure: Figure) -> float:
        """Return by how much noise of sampled answers may move the difference, whatever the number of contexts."""
        return sum(each.excess(figure) for each in self.both)

    def need(self, figure: Figure, limit: float) -> Need | None:
        """Return how many contexts make the interval exclude ``limit``, for the same difference; None if unknown."""
        ends, influence, sample = self.ends(figure), self.influence(figure), self.sample
        if ends is None or influence is None or sample is None:
            return None
        level = self.pairing.choices.level
        low, value, high = ends[0], self.value(figure), ends[1]
        widest = max(high - value, value - low)
        noise = self.excess(figure) / 2.0  # no number of contexts shows where in the middle the difference is
        middle = min(max(limit, value - noise), value + noise)
        return need_to_decide(sample, influence, (value - widest, middle, value + widest), limit, level)
