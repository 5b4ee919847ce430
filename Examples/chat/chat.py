#!/usr/bin/env python3
"""A chat whose pictures have their size and their placeholder before they load; see README.md."""

import argparse, contextlib, hashlib, json, random, re, sqlite3, threading, time
from http.client import HTTPException
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import parse_qsl
from urllib.request import Request, urlopen

HERE = Path(__file__).resolve().parent
POLICY = ("default-src 'none'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; "
          "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; script-src 'self'")
IMAGES = ("image/jpeg", "image/png", "image/webp", "image/gif", "image/avif")
LIMIT = 20 << 20  # plain.js has the same
UNSEALED = "this chat is encrypted: reload the page"  # It may be open since the chat was not.
FIELDS = ("width", "height", "opaque", "animated", "lqip", "tiny", "blurhash", "thumbhash")
ID = re.compile("[0-9a-f]{32}")


class Refused(Exception):
    """A request that is not granted: a status, and a sentence for the sender."""


class Room:
    """Messages in SQLite, and the files beside them. What is sent again, because an answer was lost, is stored once."""

    def __init__(self, directory, service, encrypted):
        self.files, self.service, self.encrypted = directory / "files", service, encrypted
        self.files.mkdir(parents=True, exist_ok=True)
        self.changed = threading.Condition()
        self.database = sqlite3.connect(directory / f"{'sealed' if encrypted else 'chat'}.db", check_same_thread=False)
        self.query("CREATE TABLE IF NOT EXISTS files (id TEXT PRIMARY KEY, type TEXT, record TEXT)")
        self.query("CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, client TEXT UNIQUE, body TEXT)")

    def query(self, statement, *values):
        with self.changed, self.database:
            return self.database.execute(statement, values).fetchall()

    def describe(self, data, claim):
        """Returns the type and the record of an image, from `lqip serve`; while it is down, what the sender claims."""
        kind, fields = claim["type"], {side: int(claim[side]) for side in ("width", "height") if side in claim}
        try:
            url = f"{self.service}/v1/encode?kinds=lqip,tiny,blurhash,thumbhash"
            with urlopen(Request(url, data, {"Content-Type": "application/octet-stream"}), timeout=10) as response:
                record = json.load(response)
            kind, fields = record["mimetype"], {field: record[field] for field in FIELDS if field in record}
        except HTTPError as error:
            if error.code in (413, 415, 422):
                raise Refused(error.code, json.load(error)["detail"]) from error
        except (OSError, HTTPException, ValueError, KeyError):
            pass
        if kind not in IMAGES:
            raise Refused(415, "not a JPEG, PNG, WebP, GIF or AVIF image")
        return kind, fields

    def add_file(self, key, data, claim):
        if self.encrypted and claim["type"] != "application/octet-stream":
            raise Refused(400, UNSEALED)
        if not self.query("SELECT 1 FROM files WHERE id = ?", key):
            kind, record = ("application/octet-stream", {}) if self.encrypted else self.describe(data, claim)
            (self.files / key).write_bytes(data)
            self.query("INSERT OR IGNORE INTO files VALUES (?, ?, ?)", key, kind, json.dumps(record))

    def add_message(self, sent):
        fields = ("sealed",) if self.encrypted else ("sender", "name", "text", "alt")
        if self.encrypted and not re.fullmatch(r"[\w+/]{40,}=*", str(sent.get("sealed")), re.ASCII):
            raise Refused(400, UNSEALED)
        if not ID.fullmatch(sent["client"]) or not all(isinstance(sent[field], str) for field in fields):
            raise ValueError
        body = {field: sent[field] for field in fields}
        if not self.encrypted:
            body["sent"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            for (record,) in self.query("SELECT record FROM files WHERE id = ?", sent["client"]):
                body["file"] = json.loads(record)
        with self.changed:
            self.query("INSERT OR IGNORE INTO messages (client, body) VALUES (?, ?)", sent["client"], json.dumps(body))
            self.changed.notify_all()

    def messages(self, condition, number):
        rows = self.query(f"SELECT * FROM messages WHERE id {condition} LIMIT 50", number)
        return [{"id": row, "client": client, **json.loads(body)} for row, client, body in rows]


class Handler(SimpleHTTPRequestHandler):
    protocol_version, timeout = "HTTP/1.1", 60

    def handle(self):
        # Readers come and go.
        with contextlib.suppress(ConnectionError, TimeoutError):
            super().handle()

    def parse_request(self):
        is_valid = super().parse_request()
        self.path, _, query = (self.path if is_valid else "").partition("?")
        self.claim = dict(parse_qsl(query))
        self.key = self.path.removeprefix("/files/") if re.fullmatch(f"/files/{ID.pattern}", self.path) else None
        return is_valid

    def do_GET(self):
        try:
            if self.path == "/messages":
                self.respond(self.room.messages("< ? ORDER BY id DESC", int(self.claim.get("before", 1 << 62)))[::-1])
            elif self.path == "/events":
                self.stream(int(self.headers["Last-Event-ID"] or self.claim.get("after", 0)))
            elif rows := self.room.query("SELECT type FROM files WHERE id = ?", self.key):
                time.sleep(random.uniform(0, self.delay))
                self.respond((self.room.files / self.key).read_bytes(), kind=rows[0][0])
            elif re.fullmatch(r"/|/(lqip/)?[\w-]+\.(html|css|js|wasm)", self.path):
                # The pipelines have one name, and may have the same date.
                del self.headers["If-Modified-Since"]
                getattr(super(), f"do_{self.command}")()
            else:
                self.respond({"detail": "not found"}, 404)
        except (ValueError, OverflowError):
            self.respond({"detail": "invalid number"}, 400)

    do_HEAD = do_GET

    def translate_path(self, path):
        pipeline = "/encrypted.js" if self.room.encrypted else "/plain.js"
        name = {"/": "/index.html", "/pipeline.js": pipeline}.get(path, path)
        return f"{self.data if name.startswith('/lqip/') else HERE}{name}"

    def do_PUT(self):
        self.claim["type"] = self.headers["Content-Type"]
        self.receive(self.key, LIMIT, lambda data: self.room.add_file(self.key, data, self.claim))

    def do_POST(self):
        # Other sites cannot send this type without permission.
        is_message = self.path == "/messages" and self.headers.get_content_type() == "application/json"
        self.receive(is_message, 64 << 10, lambda data: self.room.add_message(json.loads(data)))

    def receive(self, is_known, limit, store):
        # A body that is not read must not be taken for a request.
        is_last, self.close_connection = self.close_connection, True
        try:
            length = int(self.headers["Content-Length"])
            if not is_known:
                raise Refused(404, "not found")
            if length < 0 or "Transfer-Encoding" in self.headers:
                raise ValueError
            # Browsers read the answer after they have sent the body.
            data = self.rfile.read(min(length, 2 * LIMIT))
            if length > limit:
                raise Refused(413, f"larger than {limit >> 10} KiB")
            if len(data) == length:
                self.close_connection = is_last
                store(data)
                self.respond({})
        except Refused as error:
            self.respond({"detail": error.args[1]}, error.args[0])
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            self.respond({"detail": "invalid message"}, 400)

    def respond(self, body, status=200, kind="application/json"):
        data = json.dumps(body).encode() if kind == "application/json" else body
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers("no-cache" if kind == "application/json" else "private, max-age=31536000, immutable")
        if self.command != "HEAD":
            self.wfile.write(data)

    def end_headers(self, lifetime="no-cache"):
        self.send_header("Content-Security-Policy", POLICY + (" 'wasm-unsafe-eval'" if self.room.encrypted else ""))
        self.send_header("Cache-Control", lifetime)
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def stream(self, last):
        """Sends the messages after `last`, and then each new one."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        while self.command == "GET":
            with self.room.changed:
                if not (messages := self.room.messages("> ? ORDER BY id", last)):
                    self.room.changed.wait(15)
            # A comment shows whether the reader is still there.
            events = [f"id: {(last := message['id'])}\ndata: {json.dumps(message)}\n\n" for message in messages]
            self.wfile.write("".join(events or [":\n\n"]).encode())

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8090)
    parser.add_argument("--service", default="http://127.0.0.1:8080", help="the URL of lqip serve")
    parser.add_argument("--data", type=Path, required=True, help="the directory of messages and files, and in `lqip` of "
                        "the files of @lqip/browser and lqip.css")
    parser.add_argument("--demo", type=Path, help="a file with the first messages of an empty room")
    parser.add_argument("--delay", type=float, default=0, help="delay each picture by up to this many seconds")
    parser.add_argument("--encrypted", action="store_true", help="store only what the browsers have sealed")
    options = parser.parse_args()
    room = Handler.room = Room(options.data, options.service, options.encrypted)
    Handler.data, Handler.delay = options.data, options.delay
    if options.demo and not options.encrypted and not room.messages("> ?", 0):
        for name, text, file, alt in json.loads(options.demo.read_text()):
            # Browsers keep files by their IDs.
            data = (options.demo.parent / file).read_bytes() if file else b""
            key = hashlib.sha256(data + text.encode()).hexdigest()[:32]
            if file:
                room.add_file(key, data, {"type": "image/jpeg"})
            room.add_message({"client": key, "sender": name, "name": name, "text": text, "alt": alt})
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()


if __name__ == "__main__":
    main()
