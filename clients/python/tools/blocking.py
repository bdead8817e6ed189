"""Makes the blocking layer from that of asyncio: blocking.py AIO_FOLDER BLOCKING_FOLDER.

Only ``_calls.py``, which speaks to gRPC, is written twice: ``ctxdb/_calls.py`` is the blocking one.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

BY_HAND = "_calls.py"
RULES: list[tuple[str, str | Callable[[re.Match[str]], str]]] = [
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
    (r"\b__a(enter|exit|iter|next)__\b", r"__\1__"),
    (r"\baclose\b", "close"),
    (r"\banext\b", "next"),
    (r"\bctxdb\.aio\._calls\b", "ctxdb._calls"),
    (r"\bctxdb\.aio\b", "ctxdb._gen.blocking"),
    (r"\basyncio: ``(.*) ctxdb._gen.blocking.connect", r"threads: ``\1 ctxdb.connect"),
]


def blocking(text: str) -> str:
    for pattern, replacement in RULES:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text


def main(source: Path, out: Path) -> None:
    out.mkdir()
    for file in sorted(source.glob("*.py")):
        if file.name != BY_HAND:
            head = f"# Made from ctxdb/aio/{file.name} by tools/blocking.py: change that and run generate.sh.\n"
            (out / file.name).write_text(head + blocking(file.read_text()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
