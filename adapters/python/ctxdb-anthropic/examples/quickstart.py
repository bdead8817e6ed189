"""The commands that Claude sends to its memory tool. No model is called."""

import os

import ctxdb

from ctxdb_anthropic import CtxdbMemoryTool

with ctxdb.connect(os.environ.get("CTXDB_ADDRESS", "http://127.0.0.1:1933"), user=os.environ.get("CTXDB_USER")) as client:
    # anthropic.beta.messages.tool_runner(tools=[tool], …) calls it with what Claude asks for
    tool = CtxdbMemoryTool(client, root=f"ctx://user/{client.system.status().user}/quickstart")
    tool.clear_all_memory()
    print(tool.call({"command": "create", "path": "/memories/ann.md", "file_text": "Ann drinks black tea.\n"}))
    print(tool.call({"command": "str_replace", "path": "/memories/ann.md", "old_str": "black", "new_str": "green"}))
    print(client.search.find("what does Ann drink?", target_uri=f"ctx://user/{client.system.status().user}/quickstart").memories[0].match)
