"""Requests as bytes: good ones, and those that no client library would send."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

LARGEST_ANSWER = 1 << 22


class Answer(NamedTuple):
    status: int
    """0 if the connection was closed without an answer."""
    fields: dict[str, str]
    """By their names in lower case."""
    seconds: float
    """From before the connection is made to the end of the answer."""


Send = Callable[[asyncio.StreamWriter], Awaitable[None]]


def request(method: str, target: str, body: bytes = b"", *fields: str) -> bytes:
    """A whole request, the only one of its connection."""
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost", "Connection: close", *fields]
    if method == "POST":
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


def whole(data: bytes) -> Send:
    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()

    return send


async def exchange(port: int, send: Send, within: float) -> Answer:
    """One connection and its first answer, for some seconds at most."""
    start = time.monotonic()
    status, fields = 0, dict[str, str]()
    try:
        async with asyncio.timeout(within):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=LARGEST_ANSWER)
            try:
                # The answer may come before all is sent, and end the sending.
                sending = asyncio.ensure_future(send(writer))
                try:
                    status, fields = await answer(reader)
                finally:
                    sending.cancel()
                    await asyncio.gather(sending, return_exceptions=True)
            finally:
                writer.close()
    except (OSError, TimeoutError, EOFError):
        pass
    return Answer(status, fields, time.monotonic() - start)


async def answer(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    pairs = (line.partition(":") for line in lines if line)
    fields = {name.lower(): value.strip() for name, _, value in pairs}
    await reader.readexactly(int(fields.get("content-length", 0)))
    return int(first.split()[1]), fields
