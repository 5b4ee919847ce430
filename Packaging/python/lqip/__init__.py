"""Image placeholders: BlurHash, ThumbHash, CSS gradients and previews.

    record = lqip.encode("photo.jpg", kinds=["lqip", "thumbhash"])
    for record in lqip.encode_directory("photos"):
        print(record["path"], record.get("blurhash"))

The records are those of `lqip encode`. The first call of `encode` starts one server process, which later calls share.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any, Literal, Union, cast
from urllib.parse import urlencode

from ._program import program, server
from ._types import Image, Kind, Options, Path, PillowImage, Record

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "Image", "ImageError", "Kind", "Kinds", "Options", "Record", "decode", "encode", "encode_async", "encode_directory",
    "encode_many", "program",
]
__version__ = "0.1.0"

Kinds = Union[Kind, Iterable[Kind]]
DEFAULT_KINDS: tuple[Kind, ...] = ("blurhash", "lqip")


class ImageError(ValueError):
    """An image that cannot be encoded. `code` is the error code of the record, such as `corrupt`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def encode(image: Image, kinds: Kinds = DEFAULT_KINDS, **options: Unpack[Options]) -> Record:
    """Encodes an image: a path, bytes, an open binary file or a Pillow image. Several threads can call this function.

    A Pillow image is sent as a PNG, or as a JPEG if it is CMYK, which `mimetype` and `bytes` then describe.

    Raises `OSError` if the file cannot be read, `ValueError` for an unknown kind or option, and `ImageError`.
    """
    query = {"kinds": _listed(kinds), **{name: _text(value) for name, value in _named(options)}}
    status, answer = server().post(f"/v1/encode?{urlencode(query)}", _bytes(image))
    if status == 200:
        return cast(Record, answer)
    if answer.get("code") == "bad_parameter":
        raise ValueError(answer["detail"])
    raise ImageError(answer["code"], answer["detail"])


async def encode_async(image: Image, kinds: Kinds = DEFAULT_KINDS, **options: Unpack[Options]) -> Record:
    """Calls `encode` in a thread."""
    from asyncio import to_thread

    return await to_thread(encode, image, kinds, **options)


def encode_many(paths: Iterable[Path], kinds: Kinds = DEFAULT_KINDS, **options: Unpack[Options]) -> Iterator[Record]:
    """Encodes files on all cores, and returns their records in the same order.

    A file that cannot be encoded gives a record with `error`.
    """
    with tempfile.TemporaryFile() as names:
        for path in paths:
            name = os.fsencode(path)
            if not name or b"\0" in name:
                raise ValueError(f"not a path: {path!r}")
            names.write(name + b"\0")
        if names.tell():
            names.seek(0)
            yield from _records("-", kinds, options, names)


def encode_directory(directory: Path, kinds: Kinds = DEFAULT_KINDS, **options: Unpack[Options]) -> Iterator[Record]:
    """Encodes the images in a directory and its subdirectories, sorted by path.

    A file that cannot be encoded gives a record with `error`. Raises `OSError` if a directory cannot be read, or if
    there are no images.
    """
    return _records(os.fsdecode(directory), kinds, options, subprocess.DEVNULL)


def decode(
    placeholder: str,
    *,
    width: int | None = None,
    height: int | None = None,
    kind: Literal["blurhash", "lqip", "thumbhash", "tiny", "css"] | None = None,
    punch: float | None = None,
    lqip2: str | None = None,
) -> bytes:
    """Renders a placeholder as a PNG.

    The kind is detected from the string; pass `kind="tiny"` for a tiny JPEG. Raises `ValueError` for a malformed string.
    """
    options = {"width": width, "height": height, "kind": kind, "punch": punch, "lqip2": lqip2}
    arguments = [f"--{name}={value}" for name, value in options.items() if value is not None]
    command = [program, "decode", *arguments, "--", placeholder]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if run.returncode != 0 or not run.stdout:
        raise ValueError(_message(run.stderr) or f"not a placeholder: {placeholder!r}")
    return run.stdout


def _listed(kinds: Kinds) -> str:
    return kinds if isinstance(kinds, str) else ",".join(kinds)


def _named(options: Options) -> Iterator[tuple[str, Any]]:
    """The options by the names that the program gives them, without those that are off."""
    return ((name.replace("_", "-"), value) for name, value in options.items() if value not in (None, False))


def _text(value: Any) -> str:
    return "true" if value is True else str(value)


def _message(errors: bytes) -> str:
    return errors.decode(errors="replace").strip().removeprefix("lqip: ")


def _bytes(image: Image) -> bytes:
    if isinstance(image, (str, os.PathLike)):
        with open(image, "rb") as file:
            return file.read()
    if isinstance(image, (bytes, bytearray, memoryview)):
        return bytes(image)
    if hasattr(image, "getexif"):
        picture, buffer = cast(PillowImage, image), io.BytesIO()
        # Pillow keeps the orientation outside the pixels. PNG has no CMYK.
        if picture.mode in ("CMYK", "YCbCr"):
            picture.save(buffer, "JPEG", exif=picture.getexif(), quality=95, subsampling=0)
        else:
            picture.save(buffer, "PNG", exif=picture.getexif(), compress_level=1)
        return buffer.getvalue()
    data = image.read() if hasattr(image, "read") else None
    if not isinstance(data, bytes):
        raise TypeError(f"expected a path, bytes, a binary file or a Pillow image, not {type(image).__name__}")
    return data


def _records(path: str, kinds: Kinds, options: Options, paths: int | IO[bytes]) -> Iterator[Record]:
    arguments = [f"--{name}" if value is True else f"--{name}={value}" for name, value in _named(options)]
    command = [program, "encode", "--quiet", f"--kinds={_listed(kinds)}", *arguments, "--", path]
    with subprocess.Popen(command, stdin=paths, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        problems: list[bytes] = []
        # Without a reader, a program that reports many problems would block.
        reader = threading.Thread(target=problems.extend, args=(process.stderr,))
        reader.start()
        try:
            for line in process.stdout:
                yield json.loads(line)
            process.stdout.close()
            process.wait()
        finally:
            process.kill()
            reader.join()
        # Status 1 means that some files have error records.
        if process.returncode not in (0, 1):
            raise (ValueError if process.returncode == 2 else OSError)(_message(b"".join(problems)))
