"""Image placeholders: BlurHash, ThumbHash, CSS gradients and previews.

    record = lqip.encode("photo.jpg", kinds=["lqip", "thumbhash"])
    for record in lqip.encode_directory("photos"):
        print(record["path"], record.get("blurhash"))

The records are those of `lqip encode`. The first call of `encode` starts one server process, which later calls share.
"""

from __future__ import annotations

import contextlib
import io
import json
import numbers
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, Optional, Union, cast, get_args, get_type_hints
from urllib.parse import urlencode

from ._program import MAX_BYTES, post, program
from ._types import BatchOptions, ErrorCode, Image, ImageRecord, Kind, Options, Path, PillowImage

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack
else:
    # For `typing.get_type_hints`.
    Unpack = {each: each for each in (Options, BatchOptions)}

__all__ = [
    "BatchOptions", "ErrorCode", "Image", "ImageError", "ImageRecord", "Kind", "Kinds", "Options", "decode", "encode",
    "encode_async", "encode_directory", "encode_many", "program",
]
__version__ = "0.1.0"

Kinds = Union[Kind, Iterable[Kind]]
DEFAULT_KINDS: tuple[Kind, ...] = ("blurhash", "lqip")
# The modes to which Pillow images are converted because PNG lacks their own.
PNG_MODES = {
    "F": "L", "HSV": "RGB", "I": "I;16", "LAB": "RGB", "PA": "RGBA", "RGBX": "RGB", "RGBa": "RGBA", "YCbCr": "RGB",
}
OPTION_TYPES = get_type_hints(BatchOptions)


class ImageError(ValueError):
    """An image that cannot be encoded. `code` is the error code of the record, such as `corrupt`."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[ImageError], tuple[ErrorCode, str]]:
        return ImageError, (self.code, str(self))


def encode(image: Image, kinds: Kinds = DEFAULT_KINDS, **options: Unpack[Options]) -> ImageRecord:
    """Encodes an image: a path, bytes, an open binary file or a Pillow image. Several threads can call this function.

    A file is read from its start, and keeps its position, unless it is a stream without one. A Pillow image is sent as
    a PNG, or as a JPEG if it is CMYK, which `mimetype` and `bytes` then describe.

    Raises `OSError` if the file cannot be read or the program fails, `TypeError` or `ValueError` for a wrong argument,
    and `ImageError`.
    """
    query = urlencode(_query(kinds, options, Options))
    status, answer = post(f"/v1/encode?{query}", _bytes(image))
    if status == 200:
        return cast(ImageRecord, answer)
    if answer.get("code") == "bad_parameter":
        raise ValueError(_renamed(answer["detail"]))
    raise ImageError(answer["code"], answer["detail"])


async def encode_async(image: Image, kinds: Kinds = DEFAULT_KINDS, **options: Unpack[Options]) -> ImageRecord:
    """Calls `encode` in a thread."""
    from asyncio import to_thread

    return await to_thread(encode, image, kinds, **options)


def encode_many(
    paths: Iterable[Path], kinds: Kinds = DEFAULT_KINDS, **options: Unpack[BatchOptions]
) -> Iterator[ImageRecord]:
    """Encodes files on all cores, and returns one record for each, in the same order.

    A file that cannot be encoded gives a record with `error`. Raises `ValueError` for a directory.
    """
    if isinstance(paths, (str, bytes)) or not isinstance(paths, Iterable):
        raise TypeError(f"expected a list of paths, not {type(paths).__name__}")
    names = [_path(path) for path in paths]
    for name in filter(os.path.isdir, names):
        raise ValueError(f"expected a file: {name!r} is a directory; use encode_directory")
    return _records("-", _query(kinds, options, BatchOptions), [os.fsencode(name) for name in names])


def encode_directory(
    directory: Path, kinds: Kinds = DEFAULT_KINDS, **options: Unpack[BatchOptions]
) -> Iterator[ImageRecord]:
    """Encodes the images in a directory and its subdirectories, sorted by path.

    A file that cannot be encoded gives a record with `error`. Raises `OSError` if a directory cannot be read.
    """
    name = os.path.join(_path(directory), "")
    os.scandir(name).close()
    return _records(name, _query(kinds, options, BatchOptions))


def decode(
    placeholder: Union[str, int],
    *,
    width: Optional[int] = None,
    height: Optional[int] = None,
    kind: Optional[Literal["blurhash", "lqip", "thumbhash", "tiny", "css"]] = None,
    punch: Optional[float] = None,
    lqip2: Optional[str] = None,
) -> bytes:
    """Renders a placeholder as a PNG.

    The kind is detected from the string; pass `kind="tiny"` for a tiny JPEG. Raises `ValueError` for a malformed string.
    """
    if not isinstance(placeholder, (str, int)):
        raise TypeError(f"expected a string or an integer, not {type(placeholder).__name__}")
    text = str(placeholder)
    if len(text) > 10_000:
        raise ValueError(f"not a placeholder: a string of {len(text)} characters")
    options = {"width": width, "height": height, "kind": kind, "punch": punch, "lqip2": lqip2}
    types = {"width": int, "height": int, "kind": str, "punch": float, "lqip2": str}
    command = [program, "decode", *_flags(_texts(options, types)), "--", text]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if run.returncode not in (0, 1, 2):
        raise _failure(run.returncode, run.stderr)
    if run.returncode != 0 or not run.stdout:
        raise ValueError(_message(run.stderr) or f"not a placeholder: {placeholder!r}")
    return run.stdout


def _query(kinds: Kinds, options: Options, supported: Any) -> dict[str, str]:
    """The kinds and options by the names that the program gives them, without those that are off."""
    listed = [kinds] if isinstance(kinds, str) else list(kinds)
    _check("kind", listed or [""], get_args(Kind))
    _check("option", options, supported.__annotations__)
    return {"kinds": ",".join(listed), **_texts(options, OPTION_TYPES)}


def _texts(options: Any, types: dict[str, Any]) -> dict[str, str]:
    texts = {}
    for name, value in options.items():
        # `Literal` types are those of strings. NumPy has its own numbers.
        expected = types[name] if types[name] in (bool, int, float) else str
        accepted = {int: numbers.Integral, float: numbers.Real}.get(expected, expected)
        if value is not None and (not isinstance(value, accepted) or isinstance(value, bool) != (expected is bool)):
            raise TypeError(f"expected {expected.__name__} for {name!r}, not {type(value).__name__}")
        text = "true" if value is True else str(value)
        if "\0" in text or len(text) > 1000:
            raise ValueError(f"invalid value {text[:100]!r} for {name!r}")
        if value is not None and value is not False:
            texts[name.replace("_", "-")] = text
    return texts


def _flags(texts: dict[str, str]) -> list[str]:
    return [f"--{name}" if text == "true" else f"--{name}={text}" for name, text in texts.items()]


def _check(subject: str, names: Iterable[str], supported: Iterable[str]) -> None:
    for name in names:
        if name not in supported:
            raise ValueError(f"unknown {subject} {name!r}; supported: {', '.join(supported)}")


def _renamed(message: str) -> str:
    """A message of the program, with the names that its options have in Python."""
    return re.sub(r"(?:(?<= )--|(?<= for ')-*)([a-z][a-z0-9-]*)", lambda match: match[1].replace("-", "_"), message)


def _message(errors: bytes) -> str:
    text = errors.decode(errors="replace").partition("\nTry 'lqip ")[0]
    return _renamed(re.sub("^lqip: ", "", text.strip(), flags=re.MULTILINE))


def _path(path: Path) -> str:
    name = os.fspath(path) if isinstance(path, (str, os.PathLike)) else path
    if not isinstance(name, str):
        raise TypeError(f"expected a path, not {type(path).__name__}; use encode for bytes")
    if re.match(r"\w+://|data:", name):
        raise ValueError(f"not a path: {name[:100]!r}: lqip fetches no URLs; pass the bytes to encode")
    if not name or "\0" in name:
        raise ValueError(f"not a path: {name!r}")
    return name


def _bytes(image: Image) -> bytes:
    if isinstance(image, (str, os.PathLike)):
        with open(_path(image), "rb") as file:
            # The server rejects a file above the limit.
            return file.read(MAX_BYTES + 1)
    if hasattr(image, "getexif"):
        return _pillow_bytes(cast(PillowImage, image))
    data = _contents(image) if hasattr(image, "read") else image
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"expected a path, bytes, a binary file or a Pillow image, not {type(image).__name__}")
    return bytes(data)


def _contents(file: Any) -> Any:
    try:
        position = file.tell()
        file.seek(0)
    except (AttributeError, OSError):
        position = None
    data = bytearray()
    # A pipe returns parts.
    while part := file.read(MAX_BYTES + 1 - len(data)):
        if not isinstance(part, bytes):
            return part
        data += part
    if position is not None:
        file.seek(position)
    return data


def _pillow_bytes(picture: PillowImage) -> bytes:
    buffer = io.BytesIO()
    orientation = b"\1"
    try:
        picture.load()
        # Pillow keeps the orientation outside the pixels. Damaged Exif data raises errors of any type.
        with contextlib.suppress(Exception):
            orientation = bytes([picture.getexif().get(0x0112)])
        exif = b"Exif\0\0MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0" + orientation + bytes(6)
        mode = picture.mode
        if mode == "CMYK":
            picture.save(buffer, "JPEG", exif=exif, quality=95, subsampling=0)
        else:
            if mode in PNG_MODES:
                picture = picture.convert(PNG_MODES[mode])
            picture.save(buffer, "PNG", exif=exif, compress_level=1)
    except Exception as error:
        raise ImageError("corrupt", f"unusable Pillow image: {error}") from error
    return buffer.getvalue()


def _records(path: str, query: dict[str, str], names: Sequence[bytes] = ()) -> Iterator[ImageRecord]:
    command = [program, "encode", "--quiet", *_flags(query), "--", path]
    with tempfile.TemporaryFile() as paths, tempfile.TemporaryFile() as errors:
        paths.writelines(name + b"\0" for name in names)
        paths.seek(0)
        count = 0
        with subprocess.Popen(command, stdin=paths, stdout=subprocess.PIPE, stderr=errors) as process:
            assert process.stdout
            try:
                for line in process.stdout:
                    yield json.loads(line)
                    count += 1
                process.stdout.close()
                process.wait()
            finally:
                process.kill()
        errors.seek(0)
        problems = errors.read()
    # Status 1 means that some files have error records, and 4 also that a path without an extension is missing.
    is_complete = count == len(names) if path == "-" else _message(problems) == "no images found"
    if process.returncode not in (0, 1) and not (process.returncode == 4 and is_complete):
        raise _failure(process.returncode, problems)


def _failure(status: int, problems: bytes) -> Exception:
    # A program that is killed has no message.
    message = _message(problems) or str(subprocess.CalledProcessError(status, "lqip"))
    return ValueError(message) if status == 2 else OSError(message)
