"""Pictures around a context: a frame whose levels are pictures by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bvf.domain.context import Template
from bvf.domain.media import Media
from bvf.errors import BvfError, nearest

PICTURE = "picture"
"""The frame whose levels are pictures."""


@dataclass(frozen=True)
class Pictures:
    """Some pictures by name."""

    named: Mapping[str, Media]

    @property
    def levels(self) -> tuple[str, ...]:
        """The names of the pictures."""
        return tuple(self.named)

    def around(self, template: Template, level: str, inside: Callable[[str], str]) -> Template:
        """Return a template with the picture of this name.

        Raises:
            BvfError: The template has a picture already.
        """
        if template.media:
            raise BvfError(f'"{template.key}" has a picture already', "frame the set that it was made from")
        return replace(template, media=(self.named[level],))

    def with_levels(self, levels: Sequence[str], where: str) -> "Pictures":
        """Return the pictures of these names.

        Raises:
            BvfError: There is no such picture, or there are fewer than two. ``where`` begins the message.
        """
        for name in levels:
            if name not in self.named:
                raise BvfError(f'{where}: there is no picture "{name}"', nearest(name, list(self.named)))
        if len(set(levels)) < max(2, len(levels)):
            raise BvfError(f"{where}: two or more different pictures are compared", f"known: {', '.join(self.named)}")
        return Pictures({name: self.named[name] for name in levels})
