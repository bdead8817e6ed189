"""Runs clients/scenarios.json through this client: CTXDB_ADDRESS, CTXDB_ROOT_KEY, CTXDB_SCENARIOS, CTXDB_WIRE (blocking or asyncio)."""

import asyncio
import faulthandler
import json
import os
import random
import re
import string
import sys
import tempfile
from pathlib import Path
from typing import Any

from expectations import ABSENT, mismatch
from ops import Call, run_op

import ctxdb

WIRES = {"blocking": ctxdb.connect, "asyncio": ctxdb.aio.connect}
#: Seconds that a step may take; after it, the run ends and prints the stack of every thread.
STEP_LIMIT = 180
PATTERN = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY"


def write_files(folder: Path, files: dict[str, Any]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8", newline="")
        elif "link" in content:
            path.symlink_to(content["link"])
        else:
            size = content["bytes"]
            path.write_bytes((PATTERN * (size // len(PATTERN) + 1))[:size])


def filled(value: Any, values: dict[str, Any]) -> Any:
    """Replaces ``${name}`` in every string; a string that is only a placeholder becomes the value itself."""
    if isinstance(value, str):
        whole = re.fullmatch(r"\$\{(\w+)\}", value)
        return values[whole[1]] if whole else re.sub(r"\$\{(\w+)\}", lambda found: str(values[found[1]]), value)
    if isinstance(value, list):
        return [filled(one, values) for one in value]
    return {key: filled(one, values) for key, one in value.items()} if isinstance(value, dict) else value


def value_at(value: Any, path: str) -> Any:
    for key in path.split("."):
        value = value[int(key) if isinstance(value, list) else key]
    return value


class Run:
    """One run through the list, with clients of one wire."""

    def __init__(self, wire: str, scenarios: dict[str, Any], folder: Path) -> None:
        self._connect = WIRES[wire]
        self._scenarios = scenarios
        self._folder = folder
        self._clients: dict[str, Any] = {}
        suffix = "".join(random.choices(string.ascii_lowercase + string.digits, k=8))
        self._values: dict[str, Any] = {
            "root_key": os.environ["CTXDB_ROOT_KEY"],
            "random": suffix,
            "root": f"ctx://resources/run-{suffix}",
        }

    def client(self, name: str) -> Any:
        if name not in self._clients:
            options = {"address": os.environ["CTXDB_ADDRESS"], **filled(self._scenarios["callers"][name], self._values)}
            self._clients[name] = self._connect(**options)
        return self._clients[name]

    async def outcome(self, step: dict[str, Any]) -> str | None:
        """Why a step failed; None where it passed."""
        expect = filled(step["expect"], self._values)
        arguments = filled(step.get("args", {}), self._values)
        if "deadline" in step:
            arguments["deadline"] = step["deadline"]
        call = Call(self.client(step["as"]), arguments, self._folder, step.get("cancel_after_bytes"))
        try:
            # A task of its own: what it cancels is the call alone.
            result = await asyncio.create_task(run_op(step["op"], call))
        except (ctxdb.Error, asyncio.CancelledError) as error:
            if "error" not in expect:
                return f"failed: {error!r}"
            return mismatch(expect, told(error), "error")
        if "error" in expect:
            return f"no error, but {json.dumps(result, ensure_ascii=False)[:300]}"
        self._values.update({name: value_at(result, path) for name, path in step.get("save", {}).items()})
        return mismatch(expect.get("result", {}), result)

    async def steps(self) -> int:
        """Prints a line for each step, and the sums; how many failed."""
        failed = 0
        for step in self._scenarios["steps"]:
            faulthandler.dump_traceback_later(STEP_LIMIT, exit=True)
            try:
                message = await self.outcome(step)
            except Exception as error:
                message = repr(error)
            failed += message is not None
            report = {"step": step["id"], "ok": message is None} | ({} if message is None else {"message": message})
            print(json.dumps(report, ensure_ascii=False), flush=True)
        for client in self._clients.values():
            closed = client.close()
            if closed is not None:
                await closed
        print(f"{len(self._scenarios['steps']) - failed} passed, {failed} failed", flush=True)
        return failed


def told(error: BaseException) -> dict[str, Any]:
    if not isinstance(error, ctxdb.Error):
        return {"error": "CANCELLED"}
    request_id = error.request_id if error.request_id is not None else ABSENT
    return {"error": error.code, "message": error.message, "details": error.details, "request_id": request_id}


def main() -> None:
    scenarios = json.loads(Path(os.environ["CTXDB_SCENARIOS"]).read_text(encoding="utf-8"))
    wires = [os.environ["CTXDB_WIRE"]] if os.environ.get("CTXDB_WIRE") else list(WIRES)
    failed = 0
    for wire in wires:
        with tempfile.TemporaryDirectory(prefix="ctxdb-scenarios-") as folder:
            write_files(Path(folder), scenarios["files"])
            failed += asyncio.run(Run(wire, scenarios, Path(folder)).steps())
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
