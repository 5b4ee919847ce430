"""Runs the mistakes in mistakes.txt with the `lqip` on PATH, and checks that each answer contains the text after `=>`.

URL stands for the address of a running server.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PHOTO = (HERE.parent / "Images/jpeg-progressive.jpg").read_bytes()
cases = [line.split(" => ") for line in (HERE / "mistakes.txt").read_text().splitlines()]
failures = []
with tempfile.TemporaryDirectory() as name:
    scratch = pathlib.Path(name)
    for path in ["photo.jpg", "my photo.jpg", "photos/a.jpg"]:
        (scratch / path).parent.mkdir(exist_ok=True)
        (scratch / path).write_bytes(PHOTO)
    (scratch / "empty").mkdir()
    (scratch / "site").mkdir()
    for page in ["page.html", "site/page.html"]:
        (scratch / page).write_text("<p>")
    (scratch / "notes.txt").write_text("notes\n")
    (scratch / "zero.jpg").touch()
    command = ["lqip", "serve", "--listen", "127.0.0.1:0", "--log", "none"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        line = next(line for line in server.stderr if "listening on" in line)
        url = f"http://127.0.0.1:{line.rsplit(':', 1)[1].strip()}"
        for typed, expected in cases:
            script = typed.replace("URL", url)
            run = subprocess.run(["bash", "-c", script], cwd=scratch, capture_output=True, timeout=60, check=False,
                                 stdin=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C.UTF-8"})
            answer = (run.stdout + run.stderr).decode(errors="replace")
            if expected not in answer:
                failures.append(f"{typed}\n    expected: {expected}\n    found: {answer[:300]}")
    finally:
        server.kill()
        server.wait()
print(f"mistakes: {len(cases) - len(failures)} of {len(cases)} answered")
if failures or len(cases) < 113:
    sys.exit("\n".join(failures))
