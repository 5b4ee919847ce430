"""Chromium without a window, for pictures of pages and for measurements."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
OPTIONS = ("--headless", "--no-sandbox", "--hide-scrollbars")


def program() -> str | None:
    """The name of an installed browser."""
    return next((name for name in NAMES if shutil.which(name)), None)


@contextmanager
def chromium(profile: Path) -> Iterator[Any]:
    """Starts Chromium, and yields a function that calls DevTools methods for one page."""
    # The browser reads commands from descriptor 3, and writes to descriptor 4.
    shell = ["sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null', "sh"]
    command = [*shell, program() or NAMES[0], *OPTIONS, "--remote-debugging-pipe", f"--user-data-dir={profile}"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as browser:
        session: dict[str, str] = {}

        def call(method: str, **parameters: Any) -> Any:
            message = {"id": 1, "method": method, "params": parameters, **session}
            browser.stdin.write(json.dumps(message).encode() + b"\0")
            browser.stdin.flush()
            while True:
                answer = json.loads(read_message(browser.stdout))
                if answer.get("id") == 1:
                    return answer["result"]

        target = call("Target.createTarget", url="about:blank")["targetId"]
        attached = call("Target.attachToTarget", targetId=target, flatten=True)
        session["sessionId"] = attached["sessionId"]
        try:
            yield call
        finally:
            browser.terminate()


def read_message(stream: Any) -> bytes:
    """The bytes up to the next NUL."""
    return b"".join(iter(lambda: stream.read(1), b"\0"))


def resize(call: Any, width: int, height: int) -> None:
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    call("Emulation.setDeviceMetricsOverride", **size)


def evaluate(call: Any, expression: str) -> Any:
    """The value of an expression; that of a promise after it is fulfilled."""
    answer = call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
    if "exceptionDetails" in answer:
        raise RuntimeError(answer["exceptionDetails"])
    return answer["result"].get("value")


def screenshot(call: Any, width: int, height: int) -> bytes:
    """The top left part of the page, as PNG."""
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    return base64.b64decode(call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"])
