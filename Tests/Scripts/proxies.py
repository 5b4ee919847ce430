"""Runs nginx and HAProxy with the files in Packaging, in front of a server.

    proxies.py nginx|haproxy PROGRAM

The server is the `lqip` on PATH.
"""

import http.client
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from urllib.parse import quote
from urllib.request import urlopen

PACKAGING = pathlib.Path(__file__).resolve().parents[2] / "Packaging"
IMAGE = (PACKAGING.parent / "Tests/Images/size-31x57.png").read_bytes()
PREVIEWS = 60


def nginx(scratch: pathlib.Path, port: int, server: int) -> list[str]:
    """Writes nginx.conf for these ports, without TLS, and returns the arguments of nginx."""
    text = (PACKAGING / "nginx.conf").read_text()
    text = re.sub(r"\n *(ssl_|listen \[).*", "", text).replace("443 ssl http2", f"127.0.0.1:{port}")
    text = text.replace("127.0.0.1:8080", f"127.0.0.1:{server}").replace("/var/cache/", f"{scratch}/")
    # On a slow machine, uploads would not exceed the rate.
    text = text.replace("zone=lqip:1m rate=20r/s", "zone=lqip:1m rate=1r/s")
    paths = "".join(
        f"{name}_temp_path {scratch}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    )
    (scratch / "nginx.conf").write_text(
        f"user root; daemon off; pid {scratch}/pid; error_log stderr; events {{}} http {{ access_log off; {paths} {text} }}"
    )
    return ["-p", str(scratch), "-e", "stderr", "-c", str(scratch / "nginx.conf")]


def haproxy(scratch: pathlib.Path, port: int, server: int) -> list[str]:
    """Writes haproxy.cfg for these ports, without TLS, and returns the arguments of HAProxy."""
    text = (PACKAGING / "haproxy.cfg").read_text()
    text = re.sub(r"\n *(bind \[|ssl-|log stdout).*", "", text)
    text = re.sub(r"bind :443 .*", f"bind 127.0.0.1:{port}", text)
    # On a slow machine, uploads would not exceed the rate.
    text = text.replace("http_req_rate(2s)", "http_req_rate(1h)")
    (scratch / "haproxy.cfg").write_text(text.replace("127.0.0.1:8080", f"127.0.0.1:{server}"))
    return ["-db", "-f", str(scratch / "haproxy.cfg")]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def check(port: int, server: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def status(method: str, target: str, body: "bytes | None" = None) -> int:
        connection.request(method, target, body)
        response = connection.getresponse()
        response.read()
        return response.status

    def previews() -> "Counter[int]":
        colors = (f"{index:06x}80" for index in range(PREVIEWS))
        return Counter(status("GET", f"/v1/decode?lqip={quote('#' + color)}&width=32") for color in colors)

    def served() -> int:
        """The number of requests for previews that reached the server."""
        with urlopen(f"http://127.0.0.1:{server}/metrics", timeout=60) as response:
            text = response.read().decode()
        return sum(map(int, re.findall(r'lqip_requests_total{route="/v1/decode".*} (\d+)', text)))

    assert status("GET", "/metrics") == 404
    for _ in range(2):
        assert (found := previews()) == {200: PREVIEWS}, found
        assert status("GET", "/v1/decode?lqip=red") == 400
    uploads = Counter(status("POST", "/v1/encode", IMAGE) for _ in range(200))
    assert set(uploads) == {200, 429} and uploads[200] >= 40, uploads
    # The server renders each preview once, and both errors. It counts a request after sending the response.
    deadline = time.monotonic() + 60
    while (count := served()) < PREVIEWS + 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert count == PREVIEWS + 2, f"{count} requests for {PREVIEWS} previews and two errors reached the server"


def check_large_upload(port: int, target: str, expected: int) -> None:
    """Checks that an error of nginx is not taken for that of an upload that is too large."""
    deadline = time.monotonic() + 60
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("POST", target, bytes(2 << 20))
        response = connection.getresponse()
        problem = json.load(response)
        connection.close()
        if response.status != 429 or time.monotonic() > deadline:
            break
        time.sleep(0.2)
    assert (response.status, problem["status"]) == (expected, expected), problem


kind, program = sys.argv[1:]
lqip = subprocess.Popen(
    ["lqip", "serve", "--listen", "127.0.0.1:0", "--log", "none", "--queue", "1000"],
    stderr=subprocess.PIPE,
    text=True,
)
with tempfile.TemporaryDirectory() as name:
    address = next(line for line in lqip.stderr if "listening" in line)
    server, port = int(address.rsplit(":", 1)[1]), free_port()
    proxy = subprocess.Popen([program, *globals()[kind](pathlib.Path(name), port, server)])
    try:
        while proxy.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.01)
        if proxy.poll() is not None:
            sys.exit(f"proxies: {program} exited with status {proxy.returncode}")
        check(port, server)
        if kind == "nginx":
            check_large_upload(port, "/nothing", 404)
            check_large_upload(port, "/v1/encode", 415)
            lqip.terminate()
            lqip.wait()
            check_large_upload(port, "/v1/encode", 502)
    finally:
        for process in (proxy, lqip):
            process.terminate()
            process.wait()
