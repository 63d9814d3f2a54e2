"""Reads pictures. A file is looked at before it is decoded, so that none takes more memory than is allowed."""

import io
import re
import struct
import warnings
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bvf.domain.media import Media
from bvf.errors import BvfError
from bvf.files.digests import digest_of_bytes
from bvf.files.parsing import read_bytes

if TYPE_CHECKING:
    from PIL.Image import Image

TURNED = b"MM\0*\0\0\0\b\0\1\1\x12\0\3\0\0\0\1\0%c\0\0\0\0\0\0"
"""Exif that says how a picture is turned, from 2 to 8, and nothing else."""
OF_JPEG = frozenset((*range(0xC0, 0xC8), *range(0xC9, 0xD0), 0xDA, 0xDB, 0xDD))
"""Markers of frames, scans and tables. Parts with other markers, from 0xE0 to 0xFE, are left out."""
COLOURS = {0xE0: (b"JFIF\0", 12, b"\0\0"), 0xE2: (b"ICC_PROFILE\0", None, b""), 0xEE: (b"Adobe", 12, b"")}
"""But those that begin so are kept, with so many bytes and this end: JFIF without its small picture."""
END_OF_SCAN = re.compile(rb"\xff(?=[\x01-\xcf\xd8-\xfe])")
OF_PNG = {b"IHDR": 13, b"PLTE": 768, b"tRNS": 256, b"IDAT": 2**31, b"IEND": 0, b"iCCP": 2**31} | {
    b"gAMA": 4, b"cHRM": 32, b"sRGB": 1, b"sBIT": 4, b"pHYs": 9
}  # fmt: skip
"""Parts that change the look, and their most bytes."""
AT_ONCE = 10_000_000


def seen_parts(content: bytes, turned: int) -> tuple[bytes, str]:
    """Return a PNG or JPEG of which only what is seen is left, and the ending of its file.

    ``turned`` is how it is to be turned, as in Exif. Raises ValueError if it is of another format, or not as that says.
    """
    exif = TURNED % int(turned) if turned in range(2, 9) else b""
    try:
        if content.startswith(b"\xff\xd8"):
            return b"".join(_jpeg(content, exif)), ".jpg"
        if content.startswith(b"\x89PNG\r\n\x1a\n"):
            parts = _png(content, exif)
            packed = (struct.pack(">I", len(part) - 4) + part + struct.pack(">I", zlib.crc32(part)) for part in parts)
            return content[:8] + b"".join(packed), ".png"
    except (struct.error, zlib.error) as error:
        raise ValueError("a part of it is damaged or cut off") from error
    raise ValueError("it is not a PNG or JPEG")


def _jpeg(content: bytes, exif: bytes) -> Iterator[bytes]:
    place, profile = 2, b""
    yield content[:place] + (b"\xff\xe1\0\x22Exif\0\0" + exif if exif else b"")
    while content[place : place + 2] != b"\xff\xd9":
        start, marker, size = struct.unpack_from(">BBH", content, place)
        part, place = content[place + 4 : place + 2 + size], place + 2 + size
        if start != 0xFF or not (marker in OF_JPEG or 0xE0 <= marker < 0xFF):
            raise ValueError("something else stands between its parts")
        begins, most, end = COLOURS.get(marker, (b"", None, b""))
        if marker in OF_JPEG or (begins and part.startswith(begins)):
            profile += part[14:] if marker == 0xE2 else b""
            part = part[:most] + end
            yield struct.pack(">BBH", start, marker, len(part) + 2) + part
        if marker == 0xDA:
            scan = END_OF_SCAN.split(content[place:], 1)[0]
            yield scan
            place += len(scan)
    yield _profile(profile)[:0] + b"\xff\xd9"


def _png(content: bytes, exif: bytes) -> Iterator[bytes]:
    pixels, place, kind = zlib.decompressobj(), 8, b""
    while kind != b"IEND":
        size, kind = struct.unpack_from(">I4s", content, place)
        part, place = content[place + 8 : place + 8 + size], place + 12 + size
        if size > OF_PNG.get(kind, size) or (kind[:1].isupper() and kind not in OF_PNG):
            raise ValueError(f"its part {kind!r} is not known, or too long")
        if kind == b"IDAT":
            part = _up_to_end(pixels, part)
        if kind == b"iCCP":
            profile = zlib.decompressobj().decompress(part.partition(b"\0")[2][1:], AT_ONCE)
            part = b"ICC Profile\0\0" + zlib.compress(_profile(profile))
        if kind in OF_PNG:
            yield kind + part
        if kind == b"IHDR" and exif:
            yield b"eXIf" + exif


def _up_to_end(pixels: "zlib._Decompress", part: bytes) -> bytes:
    """A part of compressed pixels, up to their end."""
    if pixels.eof:
        return b""
    rest = part
    while rest and not pixels.eof:
        pixels.decompress(rest, AT_ONCE)
        rest = pixels.unconsumed_tail
    return part[: len(part) - len(pixels.unused_data)]


def _profile(profile: bytes) -> bytes:
    if profile and (profile[36:40] != b"acsp" or int.from_bytes(profile[:4]) != len(profile)):
        raise ValueError("its colour profile is not one")
    return profile


FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
"""The formats that are read, as Pillow names them."""
ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp")
IMAGE = "image"
"""The kind of media that pictures are."""
MOST_PIXELS = 50_000_000
"""The most pixels of a picture; decoded, one takes 3 bytes."""
SIDE = 128
"""The most pixels of a small picture in each direction."""
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
