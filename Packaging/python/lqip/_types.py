"""The types of arguments and records."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, Protocol, Union

if TYPE_CHECKING:
    from typing import TypedDict
else:
    try:
        # Before Python 3.12, Pydantic and FastAPI accept only this one.
        from typing_extensions import TypedDict
    except ImportError:
        from typing import TypedDict

Kind = Literal["blurhash", "lqip", "thumbhash", "tiny", "preview", "svg", "css", "palette"]
ErrorCode = Literal[
    "unsupported_format", "corrupt", "truncated", "too_large", "timeout", "unreadable", "decoder_failed", "internal"
]


class RecordError(TypedDict):
    """Why a file was not encoded."""

    code: ErrorCode
    message: str


class PaletteColor(TypedDict):
    """A color of the palette as `#rrggbb`, and its share of the image, 0 to 1."""

    color: str
    share: float


class ImageRecord(TypedDict, total=False):
    """The record of an image, as `lqip encode` writes it. It contains the requested kinds, or `error`.

    `complete` is absent if the file may be cut off, and false if it is cut off or damaged where it was not decoded.
    """

    path: str
    path_base64: str
    mimetype: str
    bytes: int
    width: int
    height: int
    orientation: int
    has_alpha: bool
    opaque: bool
    animated: bool
    frame_count: int
    blurhash: str
    components: list[int]
    lqip: str
    lqip2: str
    thumbhash: str
    tiny: str
    preview: str
    svg: str
    css: int
    palette: list[PaletteColor]
    average_color: str
    complete: bool
    warnings: list[str]
    error: RecordError


class Options(TypedDict, total=False):
    """The options of `lqip encode` that change placeholders; `lqip encode --help` describes them.

    `verify` reads the image to its end, so that any damage is an error.
    """

    components: str
    blurhash: Literal["reference", "fitted"]
    lqip: Literal["fitted", "corners", "six"]
    tiny_bytes: int
    preview_format: Literal["webp", "jpeg"]
    preview_bytes: int
    background: str
    exact: bool
    lenient: bool
    verify: bool


class BatchOptions(Options, total=False):
    """The options of `encode_many` and `encode_directory`, with the limits for each file; `timeout` is in seconds."""

    jobs: int
    max_bytes: int
    max_pixels: int
    timeout: float


class BinaryFile(Protocol):
    """An open file, such as an upload."""

    def read(self, size: int, /) -> bytes: ...


class PillowImage(Protocol):
    """The members of `PIL.Image.Image` that `encode` uses."""

    @property
    def mode(self) -> str: ...
    def load(self) -> Any: ...
    def convert(self, mode: str) -> Any: ...
    def save(self, fp: Any, format: str, **params: Any) -> None: ...
    def getexif(self) -> Any: ...


Path = Union[str, "os.PathLike[str]"]
Image = Union[Path, bytes, bytearray, memoryview, BinaryFile, PillowImage]
