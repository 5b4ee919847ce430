"""HTTP requests as raw bytes, including those that no client library would send."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

LARGEST_ANSWER = 1 << 22


class Answer(NamedTuple):
    status: int
    """0 if the connection was closed without a response."""
    fields: dict[str, str]
    """The header fields, by lower-case names."""
    seconds: float
    """The time from opening the connection to the end of the response."""


Send = Callable[[asyncio.StreamWriter], Awaitable[None]]


def request(method: str, target: str, body: bytes = b"", *fields: str) -> bytes:
    """A complete request with `Connection: close`."""
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
    """Sends a request on a new connection. Returns the first response, or status 0 after `within` seconds."""
    start = time.monotonic()
    status, fields = 0, dict[str, str]()
    try:
        async with asyncio.timeout(within):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=LARGEST_ANSWER)
            try:
                # The response may arrive before the complete request is sent; sending then stops.
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
