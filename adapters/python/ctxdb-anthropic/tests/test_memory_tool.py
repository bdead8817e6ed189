"""Compares the memory tool with Anthropic's own file backend over the same commands, and runs it in an agent."""

import asyncio
import http.server
import json
import random
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ctxdb
import pytest
from anthropic import Anthropic
from anthropic.lib.tools import ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool

from ctxdb_anthropic import AsyncCtxdbMemoryTool, CtxdbMemoryTool

TURNS = 30
PATHS = [
    f"/memories/{name}" for name in ("a.md", "b.txt", "dir/c.md", "dir/sub/d.md", "dir", "kärnten.md", "x y.md", ".hidden", "missing/e.md")
]
ESCAPES = [
    "/memories",
    "/memories/",
    "/memories/../etc/passwd",
    "/etc/passwd",
    "/memories/dir/../../x",
    "memories/a.md",
    "/memories/dir/../a.md",
]
TEXTS = ["", "one", "one\n", "one\ntwo\nthree\n", "tea tea\ntea", "ünïcode 漢字\n", "a\n\n\nb", "line\n" * 400]


def some_command(choice: random.Random) -> dict[str, Any]:
    path = choice.choice([*PATHS, *PATHS, choice.choice(ESCAPES)])
    text = choice.choice(TEXTS)
    commands: list[dict[str, Any]] = [
        {"command": "view", "path": path},
        {"command": "view", "path": path, "view_range": choice.choice([[1, 2], [2, -1], [0, 1], [5, 9], [3, 2]])},
        {"command": "create", "path": path, "file_text": text},
        {"command": "create", "path": path, "file_text": text},
        {
            "command": "str_replace",
            "path": path,
            "old_str": choice.choice(["tea", "one", "two", "b", "漢"]),
            "new_str": choice.choice(["", "x", "y\nz"]),
        },
        {
            "command": "insert",
            "path": path,
            "insert_line": choice.choice([-1, 0, 1, 2, 999]),
            "insert_text": choice.choice(["new", "new\n", ""]),
        },
        {"command": "delete", "path": path},
        {"command": "rename", "old_path": path, "new_path": choice.choice([*PATHS, *ESCAPES])},
    ]
    return choice.choice(commands)


def told(tool: Callable[[object], Any], command: dict[str, Any]) -> str:
    """Returns the text for the model, without sizes of folders, which differ between file systems."""
    try:
        return re.sub(r"^[\d.]+[BKMG]\t(?=.*/$|/memories[^.]*$)", "", str(tool(command)), flags=re.M)
    except ToolError as error:
        return f"error: {error.content}"
    except OSError as error:
        # where Anthropic's backend lets an error of the file system out
        return f"refused: {type(error).__name__}"


@pytest.mark.parametrize("seed", range(4))
def test_random_commands_are_answered_as_anthropics_own_backend_answers_them(client: ctxdb.Client, tmp_path: Path, seed: int) -> None:
    choice = random.Random(seed)
    theirs, ours = BetaLocalFilesystemMemoryTool(str(tmp_path)), CtxdbMemoryTool(client)
    for _ in range(120):
        command = some_command(choice)
        expected, found = told(theirs.call, command), told(ours.call, command)
        if expected.startswith("refused: "):
            assert found.startswith("error: "), command
        else:
            assert found == expected, command


def test_the_tool_is_declared_to_the_model_as_the_memory_tool(client: ctxdb.Client) -> None:
    tool = CtxdbMemoryTool(client, cache_control={"type": "ephemeral"})
    assert tool.to_dict() == {"type": "memory_20250818", "name": "memory", "cache_control": {"type": "ephemeral"}}


def test_what_claude_writes_is_found_by_search_and_what_the_server_remembered_is_seen_by_claude(client: ctxdb.Client) -> None:
    tool = CtxdbMemoryTool(client)
    tool.call({"command": "create", "path": "/memories/ann.md", "file_text": "Ann drinks green tea in the afternoon.\n"})
    assert client.search.find("what does Ann drink?").memories[0].uri.endswith("/memories/ann.md")
    session = client.sessions.create().session_id
    client.sessions.add_message(session, "user", "My name is Ann. I live in Lisbon.")
    client.sessions.commit(session)
    assert "/memories/events/" in str(tool.call({"command": "view", "path": "/memories"}))


def test_the_sections_that_the_server_makes_of_a_long_file_are_not_shown(client: ctxdb.Client) -> None:
    tool = CtxdbMemoryTool(client)
    text = "# Notes\n" + "\n## Section\n\nMany words about tea stand here.\n" * 200
    tool.call({"command": "create", "path": "/memories/notes.md", "file_text": text})
    shown = str(tool.call({"command": "view", "path": "/memories"}))
    assert [line.split("\t")[1] for line in shown.splitlines()[1:]] == ["/memories", "/memories/notes.md"]


def test_edits_made_at_once_are_all_kept(client: ctxdb.Client) -> None:
    async def edit() -> None:
        tool = AsyncCtxdbMemoryTool(client)
        await tool.call({"command": "create", "path": "/memories/list.md", "file_text": ""})
        await asyncio.gather(
            *(tool.call({"command": "insert", "path": "/memories/list.md", "insert_line": 0, "insert_text": f"line {n}"}) for n in range(8))
        )

    asyncio.run(edit())
    user = client.system.status().user
    assert sorted(client.content.read(f"ctx://user/{user}/memories/list.md").splitlines()) == [f"line {n}" for n in range(8)]


@pytest.mark.parametrize("path", ["/memories/a\\b.md", "/memories/a\u202eb.md", "/memories/.abstract.md", f"/memories/{'x' * 300}.md"])
def test_a_path_that_the_server_refuses_is_told_to_the_model(client: ctxdb.Client, path: str) -> None:
    with pytest.raises(ToolError):
        CtxdbMemoryTool(client).call({"command": "create", "path": path, "file_text": "x"})


def test_clearing_leaves_nothing_of_what_was_written(client: ctxdb.Client) -> None:
    tool = CtxdbMemoryTool(client)
    for path in ("/memories/a.md", "/memories/dir/b.md"):
        tool.call({"command": "create", "path": path, "file_text": "x\n" * 2000})
    assert tool.clear_all_memory() == "All memory cleared"
    assert str(tool.call({"command": "view", "path": "/memories"})).splitlines()[1:] == ["0B\t/memories"]


@pytest.fixture
def model() -> Iterator[str]:
    """A scripted model on loopback that writes the number of each turn to a file."""

    class Model(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            messages = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"]
            last = messages[-1]["content"]
            if isinstance(last, str):
                number = int(last.split()[-1])
                command = (
                    {"command": "create", "path": "/memories/turns.md", "file_text": "turn 1\n"}
                    if number == 1
                    else {"command": "insert", "path": "/memories/turns.md", "insert_line": number - 1, "insert_text": f"turn {number}"}
                )
                content = [{"type": "tool_use", "id": f"t{number}", "name": "memory", "input": command}]
            else:
                content = [{"type": "text", "text": json.dumps(last[0]["content"])}]
            reason = "tool_use" if content[0]["type"] == "tool_use" else "end_turn"
            answer = {"id": "m", "type": "message", "role": "assistant", "model": "scripted", "content": content, "stop_reason": reason,
                      "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}  # fmt: skip
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            return

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_an_agent_of_thirty_turns_keeps_its_notes_through_the_sdks_tool_runner(client: ctxdb.Client, model: str) -> None:
    anthropic = Anthropic(api_key="none", base_url=model)
    for turn in range(1, TURNS + 1):
        runner = anthropic.beta.messages.tool_runner(
            model="scripted", max_tokens=100, tools=[CtxdbMemoryTool(client)], messages=[{"role": "user", "content": f"note turn {turn}"}]
        )
        answer = runner.until_done().content[0]
        assert answer.type == "text" and ("created successfully" in answer.text or "has been edited" in answer.text)
    user = client.system.status().user
    assert client.content.read(f"ctx://user/{user}/memories/turns.md").splitlines() == [f"turn {n}" for n in range(1, TURNS + 1)]
