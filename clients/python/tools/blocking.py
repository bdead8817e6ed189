"""Makes the blocking layer from that of asyncio: blocking.py AIO_FOLDER BLOCKING_FOLDER.

Only ``_calls.py``, which speaks to gRPC, is written twice.
"""

import re
import sys
from pathlib import Path

BY_HAND = {"__init__.py", "_calls.py"}
RULES = [
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait asyncio\.to_thread\(([\w.]+), (\w+)\)", r"\1(\2)"),
    (r"\bawait ", ""),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"^import asyncio\n", ""),
    (r"\bAwaitable\[(\w+)\]", r"\1"),
    (r"\bAsyncGenerator, AsyncIterator, Callable\b", "Callable, Generator, Iterator"),
    (r"\bAsyncIterator, (?:Awaitable, )?Callable, Iterable\b", "Callable, Iterable, Iterator"),
    (r"\bAsyncIterator, (\w+(?:, \w+)*)$", lambda match: ", ".join(sorted(["Iterator", *match[1].split(", ")]))),
    (r"\bAsyncIterator\b", "Iterator"),
    (r"\bAsyncGenerator\[(\w+), None\]", r"Generator[\1, None, None]"),
    (r"\bAsyncGenerator\b", "Generator"),
    (r"\baclosing\b", "closing"),
    (r"^( *)for (\w+) in (.*):\n *yield \2$", r"\1yield from \3"),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\bctxdb\.aio\b", "ctxdb.blocking"),
]


def blocking(text: str) -> str:
    for pattern, replacement in RULES:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text


def main(source: Path, out: Path) -> None:
    files = [file for file in sorted(source.glob("*.py")) if file.name not in BY_HAND]
    for stale in {file.name for file in out.glob("*.py")} - BY_HAND - {file.name for file in files}:
        (out / stale).unlink()
    for file in files:
        head = f"# Made from ../aio/{file.name} by tools/blocking.py: change that and run generate.sh.\n"
        (out / file.name).write_text(head + blocking(file.read_text()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
