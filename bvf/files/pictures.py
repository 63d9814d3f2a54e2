"""Reads pictures. A file is looked at before it is decoded, so that none takes more memory than is allowed."""

import io
import struct
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bvf.domain.media import Media
from bvf.errors import BvfError
from bvf.files.digests import digest_of_bytes
from bvf.files.parsing import read_bytes
from bvf.files.picture_parts import seen_parts

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
"""The formats that are read, as Pillow names them."""
ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp")
IMAGE = "image"
"""The kind of media that pictures are."""
MOST_PIXELS = 50_000_000
"""The most pixels of a picture; decoded, one takes 3 bytes."""
SIDE, THUMBNAIL = 128, ".jpg"
"""The most pixels of a small picture in each direction, and the ending of its file."""
DAMAGED = (OSError, ValueError, SyntaxError, MemoryError, TypeError, struct.error)
MISSING = "pip install 'bvf[images]'"


def check_picture(file: Path) -> None:
    """Raise `BvfError` if a file cannot be read, is no picture, has too many pixels, or Pillow is missing."""
    with _opened(file, read_bytes(file)):
        pass


def pictures_in(folder: Path) -> dict[str, Media]:
    """Return the pictures in a folder by the names of their files without ending, in the order of the names.

    Raises `BvfError` as `check_picture` does, or if there are fewer than two, or two of one name.
    """
    if not folder.is_dir():
        raise BvfError(f"{folder}: there is no such folder", "name one with pictures")
    found = dict[str, Media]()
    for file in sorted(each for each in folder.iterdir() if each.suffix.lower() in ENDINGS):
        if file.stem in found:
            raise BvfError(f"{folder}: two pictures are called {file.stem}", "give them different names")
        check_picture(file)
        found[file.stem] = Media(IMAGE, str(file), digest_of_bytes(read_bytes(file)))
    if len(found) < 2:
        raise BvfError(f"{folder}: fewer than two pictures", f"files that end in {', '.join(ENDINGS)} are read")
    return found


def picture_in(name: str, digest: str) -> "Image":
    """Return a picture as it is looked at: upright, in three colours, and white where it is transparent.

    Raises `BvfError` as `check_picture` does, or if the file ``name`` is damaged, or has another digest than this.
    """
    with _opened(Path(name), _unchanged(Path(name), digest)) as picture:
        return _as_looked_at(picture)


def seen_of(media: Media) -> tuple[bytes, str]:
    """Return the file of a picture without what is not seen of it, such as the place of a photo, and its ending.

    Raises `BvfError` as `picture_in` does, or if it is no PNG or JPEG, or not as its format says.
    """
    file, content = Path(media.file), _unchanged(Path(media.file), media.digest)
    with _opened(file, content) as picture:
        turned, looked_at = picture.getexif().get(0x0112, 1), _as_looked_at(picture)
    try:
        seen, ending = seen_parts(content, turned)
    except ValueError as error:
        message = f"{file}: cannot be published without what is not seen of it, such as its place: {error}"
        raise BvfError(message, "save it as PNG, which keeps its pixels, and name that file") from error
    with _opened(file, seen) as picture:
        if _as_looked_at(picture).tobytes() != looked_at.tobytes():
            raise BvfError(f"{file}: looks otherwise without what is not seen of it", "save it anew as PNG")
    return seen, ending


def more_than_seen(shown: Iterable[Media]) -> str:
    """Name the files that hold more than what is seen of their pictures, or are of formats of which it is not known."""
    return ", ".join(each.file for each in dict.fromkeys(shown) if _holds_more(Path(each.file)))


def _holds_more(file: Path) -> bool:
    content = read_bytes(file)
    with _opened(file, content) as picture, suppress(ValueError):
        return seen_parts(content, picture.getexif().get(0x0112, 1))[0] != content
    return True


def small(picture: "Image") -> bytes:
    """Return a small version of a picture as JPEG."""
    copy, out = picture.copy(), io.BytesIO()
    copy.thumbnail((SIDE, SIDE))
    copy.save(out, "JPEG", quality=85, comment=b"")  # else Pillow writes that of the picture
    return out.getvalue()


@contextmanager
def _opened(file: Path, read: bytes) -> "Iterator[Image]":
    """The picture in the content of a file, not decoded yet."""
    try:
        from PIL import Image
    except ImportError as error:
        raise BvfError("pictures need Pillow, which is not installed", MISSING) from error
    with warnings.catch_warnings(action="ignore"):  # the limit below is lower than that of Pillow's
        try:
            picture = Image.open(io.BytesIO(read), formats=FORMATS)
        except Image.DecompressionBombError as error:
            raise _too_large(file) from error
        except DAMAGED as error:
            raise BvfError(f"{file}: is not a picture", f"these are read: {', '.join(FORMATS)}") from error
        with picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise _too_large(file)
            try:
                yield picture
            except DAMAGED as error:
                raise BvfError(f"{file}: the picture is damaged or cut off: {error}", "copy the file again") from error


def _too_large(file: Path) -> BvfError:
    return BvfError(f"{file}: has more than {MOST_PIXELS:,} pixels", "make the picture smaller")


def _unchanged(file: Path, digest: str) -> bytes:
    content = read_bytes(file)
    if digest_of_bytes(content) != digest:
        raise BvfError(f"{file}: has changed since the context set was read", "repeat the command")
    return content


def _as_looked_at(picture: "Image") -> "Image":
    from PIL import Image, ImageOps

    upright = ImageOps.exif_transpose(picture)
    if not upright.has_transparency_data:
        return upright.convert("RGB")
    white = Image.new("RGBA", upright.size, "white")
    return Image.alpha_composite(white, upright.convert("RGBA")).convert("RGB")
