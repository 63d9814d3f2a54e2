"""The picture of how far each group leans in each context (Figure 11 of the paper)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bvf.analyses.risk.result import risk_only
from bvf.arrays import FloatArray, IntArray
from bvf.drawing.interactive import TWO_SIDED, apart, in_rows, numbers, plain
from bvf.drawing.labels import key_label, legend, name_rows, text_style
from bvf.drawing.lettering import Lettering, lettering
from bvf.drawing.names import shown_name, whole_name
from bvf.drawing.sentences import caption_of, groups_shown
from bvf.drawing.style import DIVERGING, FONT, INK, SMALL, axes_of, colours_of, plain_axes, rows_of, rule_between_ends
from bvf.errors import BvfError
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.results.names import name_of
from bvf.results.restore import predictions_of
from bvf.results.result import ResultBase
from bvf.stats.figures.probabilities import mean_over_contexts
from bvf.stats.figures.risk import mean_over_groups
from bvf.study.predictions import Predictions
from bvf.tables.words import counted
from bvf_report.pictures.risk.leanings import shown_places

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_COLUMNS = 200
MISSING = "#9a9a9a"
NAMED_COLUMNS = 24
BELOW, NAMES_BELOW = 0.35, 1.5
"""Inches below the cells if columns have no names, and if they have names."""
NAME_OF_COLUMN = 1.7
LOWEST = 2.6
"""Least height of the cells in inches, so that the text of the colour bar has room."""
LONGEST_TEXT = 90
"""Longest text of a context, in columns."""


@dataclass(frozen=True)
class Grid(Picture):
    """The picture of leans by group and context as a matrix.

    Groups and contexts are ordered from the first class to the last.
    """

    kind: ClassVar[str] = "heatmap"
    title: ClassVar[str] = "How far groups lean in each context"
    wide: ClassVar[Columns] = 2
    limited: ClassVar[bool] = True

    model: str
    topic: str
    classes: tuple[str, ...]  # Y
    groups: tuple[str, ...]  # X, in the order of `leanings`
    values: FloatArray  # p - p* of the first of two classes, or of the leading one of more, (X, K); NaN: no answer
    leads: IntArray  # the class furthest above p*, relative to p*, (X, K); -1: no answer
    contexts: tuple[str, ...]  # the text of each column, K; empty for a column of several contexts
    weights: FloatArray  # share of P(C) of each column, (K,)
    in_column: IntArray  # number of contexts in each column, (K,)
    of: int  # number of contexts
    of_groups: int  # number of groups of the result
    missing: int  # prompts without an answer

    @property
    def is_binned(self) -> bool:
        """Whether a column of the picture stands for several contexts."""
        return len(self.in_column) < self.of

    def caption(self) -> str:
        of, order = "the probability of the leading class", "those of one leading class together"
        if len(self.classes) == 2:
            first, last = map(shown_name, self.classes)
            of, order = f"the probability of {first}", f"from {first} to {last}"
        sentences = [
            f"How far {whole_name(self.model)} leans in each context: {of} less that of the unbiased model, "
            f"{counted(len(self.groups), 'group')} by {counted(self.of, 'context')}.",
            f"Contexts stand by the mean lean of groups, {order}.",
        ]
        if len(self.groups) < self.of_groups:
            sentences.append(f"{groups_shown(len(self.groups), self.of_groups)}.")
        if self.is_binned:
            low, high = int(self.in_column.min()), int(self.in_column.max())
            each = f"{low}" if low == high else f"{low} to {high}"
            sentences.append(f"Each of the {len(self.in_column)} columns is the weighted mean of {each} contexts.")
        if self.missing:
            sentences.append(f"{counted(self.missing, 'prompt')} without an answer.")
        return caption_of(*sentences)

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw the lean of each group in each context.

        The hue is the class, and the intensity is the size of the lean.
        """
        named = columns == 2 and len(self.contexts) <= NAMED_COLUMNS and not self.is_binned
        below = NAMES_BELOW if named else BELOW
        rows = rows_of(len(self.groups), ax, edges=below)
        axes: Any = axes_of(ax, columns, max(rows.height, LOWEST + below))
        letters = lettering(self.groups, self.classes, self.contexts if named else ())
        plain_axes(axes, grid="")
        axes.spines["bottom"].set_visible(False)
        most = float(np.nanmax(np.abs(self.values), initial=0.0)) or 1.0
        two = len(self.classes) == 2
        if two:
            self._cells_of_two(axes, most, letters)
        else:
            axes.imshow(self._colours(most), aspect="auto", interpolation="nearest")
        name_rows(axes, rows, self.groups, letters)
        axes.set_ylim(len(self.groups) - 0.5, -0.5)
        rule_between_ends(axes, len(self.groups), self.of_groups, INK)
        self._name_columns(axes, letters, named)
        legend(axes, letters, self._keys(letters, most, two), ax)
        return axes

    def interactive(self) -> Figure:
        most = float(np.nanmax(np.abs(self.values))) if np.isfinite(self.values).any() else 1.0
        columns = zip(self.contexts, self.in_column, strict=True)
        texts = [plain(text, LONGEST_TEXT) if text else f"{number} contexts" for text, number in columns]
        names = apart(self.groups)
        trace = {
            "type": "heatmap",
            "z": numbers(self.values),
            "y": list(range(len(names))),
            "customdata": [texts] * len(names),
            "zmin": -most,
            "zmax": most,
            "colorscale": TWO_SIDED,
            "colorbar": {"title": {"text": "p - p*"}, "thickness": 10},
            "hovertemplate": "%{customdata}<br>p - p* %{z}<extra></extra>",
        }
        figure = in_rows([trace], names, "contexts, by their mean lean", legend=False)
        figure["layout"]["xaxis"] |= {"showticklabels": False, "showgrid": False, "zeroline": False}
        return figure

    def _colours(self, most: float) -> FloatArray:
        """The colour of each cell as RGB, shape (X, K, 3). It is white at p*, and more intense further away from it."""
        from matplotlib.colors import to_rgb

        full = np.array([to_rgb(colour) for colour in colours_of(self.classes)])[np.maximum(self.leads, 0)]
        depth = np.clip(np.nan_to_num(self.values) / most, 0.0, 1.0)[..., np.newaxis]
        missing = (self.leads < 0)[..., np.newaxis]
        return np.where(missing, np.array(to_rgb(MISSING)), 1.0 - depth * (1.0 - full))

    def _cells_of_two(self, axes: Any, most: float, letters: Lettering) -> None:
        """Draw cells for two classes, coloured by the lean to the first one, and a colour bar."""
        from matplotlib import colormaps

        colours = colormaps[DIVERGING].with_extremes(bad=MISSING)
        image = axes.imshow(self.values, cmap=colours, vmin=-most, vmax=most, aspect="auto", interpolation="nearest")
        first, second = (letters.label(name, 0.7) for name in self.classes)
        bar = axes.get_figure().colorbar(image, ax=axes, fraction=0.05, pad=0.015, aspect=30)
        bar.outline.set_visible(False)
        bar.ax.tick_params(labelsize=SMALL, length=2)
        bar.set_label(f"probability of {first}, less p* (below 0: {second})", **text_style(letters))

    def _name_columns(self, axes: Any, letters: Lettering, named: bool) -> None:
        if named:
            labels = [letters.label(text, NAME_OF_COLUMN, SMALL) for text in self.contexts]
            axes.set_xticks(
                range(len(labels)), labels, rotation=45, ha="right", rotation_mode="anchor",
                **text_style(letters, SMALL),
            )  # fmt: skip
            return
        axes.set_xticks([])
        each = f" in {len(self.contexts)} columns" if self.is_binned else ""
        axes.set_xlabel(f"{self.of} contexts{each}, by the mean of groups", fontsize=FONT)

    def _keys(self, letters: Lettering, most: float, two: bool) -> list[Any]:
        from matplotlib.patches import Patch

        keys = list[Patch]()
        if not two:
            named = enumerate(zip(colours_of(self.classes), self.classes, strict=True))
            leading = [each for y, each in named if (self.leads == y).any()]
            keys += [Patch(color=colour, label=key_label(letters, name)) for colour, name in leading]
            keys.append(Patch(facecolor="white", edgecolor=MISSING, label=f"white: p*, full: {most:.2f} above"))
        if self.missing:
            keys.append(Patch(color=MISSING, label="no answer"))
        return keys


def grid(
    result: ResultBase, columns: int = MOST_COLUMNS, show: int = 0, *, predictions: Predictions | None = None
) -> Grid:
    """Return the matrix of ``show`` groups from both ends of their order (0: all groups).

    Contexts are ordered by their mean lean over all groups. If there are more contexts than ``columns``, neighbours
    in that order share a column, with about the same number in each. Predictions are read if they are not given.
    """
    if columns < 1:
        raise BvfError(f"{columns} columns", "ask for one or more")
    of_risk = risk_only(result)
    read = predictions or predictions_of(of_risk)
    p_x = np.array([group.weight for group in of_risk.groups])
    order = _order(mean_over_groups(read.lean, read.weights_of_group, p_x))
    bins = np.array_split(order, min(columns, len(order)))
    rows = shown_places(of_risk, None, show)
    lean, p_star, weights = read.lean[rows], read.mean_reference[rows], read.weights_of_group[rows]
    binned = np.stack([_mean(lean[:, in_bin], weights[:, in_bin]) for in_bin in bins], axis=1)
    leads = _leads(binned, p_star)
    chosen = np.zeros_like(leads) if binned.shape[2] == 2 else np.maximum(leads, 0)
    return Grid(
        model=name_of(of_risk),
        topic=of_risk.topic,
        classes=read.classes,
        groups=tuple(read.group_names[x] for x in rows),
        values=np.take_along_axis(binned, chosen[..., np.newaxis], axis=2)[..., 0],
        leads=leads,
        contexts=tuple(read.contexts[in_bin[0]] if len(in_bin) == 1 else "" for in_bin in bins),
        weights=np.array([read.context_weights[in_bin].sum() for in_bin in bins]),
        in_column=np.array([len(in_bin) for in_bin in bins], dtype=np.intp),
        of=len(order),
        of_groups=len(read.group_names),
        missing=int(np.isnan(lean).any(axis=2).sum()),
    )


def _order(common: FloatArray) -> IntArray:
    """Indices that order contexts, (C,): by mean lean to the first of two classes, or by leading class and lean."""
    if common.shape[1] == 2:
        return np.argsort(-common[:, 0], kind="stable").astype(np.intp)
    leads = common.argmax(axis=1)
    return np.lexsort((-common.max(axis=1), leads)).astype(np.intp)


def _mean(lean: FloatArray, weights: FloatArray) -> FloatArray:
    """The weighted mean of leans over contexts, (X, Y). It is NaN for a group whose predictions are all missing."""
    total = weights.sum(axis=1, keepdims=True)
    summed = mean_over_contexts(lean, weights)
    mean: FloatArray = np.divide(summed, total, out=np.full_like(summed, np.nan), where=total > 0)
    return mean


def _leads(lean: FloatArray, p_star: FloatArray) -> IntArray:
    largest = np.nan_to_num(lean / p_star[:, np.newaxis]).argmax(axis=2)
    return np.where(np.isnan(lean).any(axis=2), -1, largest).astype(np.intp)
