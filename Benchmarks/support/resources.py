"""The files in a Qt resource file (.rcc)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

DIRECTORY = 2
ZLIB = 1


def resources(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The paths and contents of all files."""
    magic, version, tree, contents, names = struct.unpack_from(">4s4I", data)
    if magic != b"qres":
        raise ValueError("not a Qt resource file")
    entry_size = 14 if version < 2 else 22

    def walked(index: int, folder: str) -> Iterator[tuple[str, bytes]]:
        at = tree + index * entry_size
        name_at, flags = struct.unpack_from(">IH", data, at)
        (length,) = struct.unpack_from(">H", data, names + name_at)
        start = names + name_at + 6
        path = folder + data[start : start + 2 * length].decode("utf-16-be") if index else ""
        if flags & DIRECTORY:
            count, first = struct.unpack_from(">II", data, at + 6)
            for child in range(first, first + count):
                yield from walked(child, f"{path}/" if path else "")
        else:
            (offset,) = struct.unpack_from(">I", data, at + 10)
            (size,) = struct.unpack_from(">I", data, contents + offset)
            content = data[contents + offset + 4 : contents + offset + 4 + size]
            yield path, zlib.decompress(content[4:]) if flags & ZLIB else content

    yield from walked(0, "")
