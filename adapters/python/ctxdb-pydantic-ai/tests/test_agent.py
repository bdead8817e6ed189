"""Tests the workspace in an agent, and cases that the framework's suite lacks."""

import asyncio
import os
from pathlib import PurePosixPath

import ctxdb
import pytest
from pydantic_ai import Agent, ModelMessage, ModelResponse, RunContext, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.workspaces import Workspace, WorkspaceRef

from ctxdb_pydantic_ai import CtxdbWorkspace, CtxdbWorkspaceBackend

TURNS = 30


def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Calls the tool that the user asked for, and answers with its result."""
    last = messages[-1].parts[-1]
    if isinstance(last, ToolReturnPart):
        return ModelResponse(parts=[TextPart(str(last.content))])
    return ModelResponse(parts=[ToolCallPart("note", {"line": str(getattr(last, "content", ""))})])


agent = Agent(FunctionModel(scripted))


@agent.tool
async def note(ctx: RunContext[None], line: str) -> str:
    """Adds a line to the notes and returns their number."""
    path = "notes/all.md"
    notes = await ctx.workspace.read_text(path) if await ctx.workspace.exists(path) else ""
    await ctx.workspace.write_text(path, f"{notes}{line}\n")
    return f"{notes.count(chr(10)) + 1} lines"


def test_an_agent_of_thirty_turns_finds_its_files_again_by_the_message_history(client: ctxdb.Client) -> None:
    user = client.system.status().user

    async def talk() -> None:
        history: list[ModelMessage] = []
        for turn in range(1, TURNS + 1):
            with ctxdb.connect(os.environ["CTXDB_ADDRESS"], user=user) as fresh:
                said = f"turn {turn}: the harbour master is Ann" if turn == 7 else f"turn {turn}"
                result = await agent.run(said, message_history=history, capabilities=[CtxdbWorkspace(fresh)])
                assert result.output == f"{turn} lines"
                history = result.all_messages()

    asyncio.run(talk())
    folders = list(client.fs.ls_all(f"ctx://user/{user}/workspaces"))
    assert len(folders) == 1
    found = client.search.find("who is the harbour master?")
    assert any("Ann" in hit.match for hit in (*found.resources, *found.memories))


def test_a_reference_that_was_forged_leads_to_no_other_folder(client: ctxdb.Client) -> None:
    user = client.system.status().user
    capability = CtxdbWorkspace[None](client)
    for id in (
        "ctx://resources",
        f"ctx://user/{user}/memories",
        f"ctx://user/{user}/workspaces",
        f"ctx://user/{user}/workspaces/../memories",
    ):
        assert capability.get_workspace(None, ref=WorkspaceRef(provider="ctxdb", id=id)) is None  # type: ignore[arg-type]
    assert capability.get_workspace(None, ref=WorkspaceRef(provider="local", id="/")) is None  # type: ignore[arg-type]


def test_paths_outside_of_the_workspace_do_not_exist(client: ctxdb.Client) -> None:
    async def use() -> None:
        workspace = Workspace(CtxdbWorkspaceBackend(client))
        await workspace.write_text("a.txt", "a")
        for path in ("/etc/passwd", "../a.txt", "/workspace/../workspaces", "/workspaces/a.txt"):
            assert not await workspace.exists(path)
            with pytest.raises(FileNotFoundError):
                await workspace.write_text(path, "x")

    asyncio.run(use())


@pytest.mark.parametrize(
    "content",
    [b"", b"plain", "漢字 ünïcode\r\n".encode(), b"\0", b"\0base64\nnot so", b"\xff\xfe", b"\0\xff" * 700_000, "é".encode() * 600_000],
    ids=["empty", "ascii", "utf-8", "nul", "looks-encoded", "no-utf-8", "long-bytes", "long-text"],
)
def test_a_file_written_to_the_workspace_is_read_back_byte_for_byte(client: ctxdb.Client, content: bytes) -> None:
    async def use() -> None:
        backend = CtxdbWorkspaceBackend(client)
        path = str(PurePosixPath(await backend.working_dir()) / "file")
        await backend.write_bytes(path, content)
        assert await backend.read_bytes(path) == content
        assert [entry.name for entry in await backend.list_dir("/workspace")] == ["file"]

    asyncio.run(use())


def test_a_listing_leaves_out_what_the_server_derives_from_documents(client: ctxdb.Client) -> None:
    async def use() -> None:
        workspace = Workspace(CtxdbWorkspaceBackend(client))
        text = "".join(f"# Part {part}\n\n{'The pier is made of stone. ' * 200}\n\n" for part in range(6))
        await workspace.write_text("guide.md", text)
        await workspace.make_dir("photos")
        assert [(entry.name, entry.is_dir) for entry in await workspace.list_dir(".")] == [("guide.md", False), ("photos", True)]

    asyncio.run(use())
