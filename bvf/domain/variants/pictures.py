"""Pictures around a context: a frame whose levels are pictures by name."""

from collections.abc import Callable
from dataclasses import replace

from bvf.domain.context import Template
from bvf.domain.media import Media
from bvf.domain.variants.formats import NamedLevels
from bvf.errors import BvfError

PICTURE = "picture"
"""The frame whose levels are pictures."""


class Pictures(NamedLevels[Media]):
    """Some pictures by name."""

    what = PICTURE

    def around(self, template: Template, level: str, inside: Callable[[str], str]) -> Template:
        """Return a template with the picture of this name.

        Raises:
            BvfError: The template has a picture already.
        """
        if template.media:
            raise BvfError(f'"{template.key}" has a picture already', "frame the set that it was made from")
        return replace(template, media=(self.named[level],))
