"""Drives the OpenViking memory provider of hermes-agent, as it is in the registry, against a ctxdb server in compatibility mode.

ENDPOINT: the address of the server. The last line is `N passed, N failed`.
"""

import json
import os
import tempfile
import time
from pathlib import Path

home = Path(tempfile.mkdtemp())
os.environ.update(OPENVIKING_ENDPOINT=os.environ["ENDPOINT"], HERMES_HOME=str(home))

from plugins.memory.openviking import OpenVikingMemoryProvider  # noqa: E402

passed = failed = 0


def check(what: str, is_right: object, found: object = "") -> None:
    global passed, failed
    if is_right:
        passed += 1
    else:
        failed += 1
        print(f"FAIL  {what}: {found}")


def until(act, seconds: float = 20):
    """The first true answer, or the last one."""
    end = time.monotonic() + seconds
    while not (answer := act()) and time.monotonic() < end:
        time.sleep(0.05)
    return answer


provider = OpenVikingMemoryProvider()


def tool(name: str, **arguments: object) -> dict:
    return json.loads(provider.handle_tool_call(name, arguments))


def uris(answer: dict) -> list[str]:
    return [result["uri"] for result in answer["results"]]


check("is available", provider.is_available())
provider.initialize("talk", hermes_home=str(home))

stored = tool("viking_remember", content="Ann prefers green tea over coffee.", category="preference")
check("remembers", stored.get("status") == "stored", stored)
docs = home / "docs"
docs.mkdir()
(docs / "brewing.md").write_text("# Brewing\n\nGreen tea is brewed at 80 degrees for three minutes.\n")
for source, place in ((docs, {}), (docs / "brewing.md", {"to": "viking://resources/one"})):
    added = tool("viking_add_resource", url=str(source), wait=True, **place)
    check(f"adds {source.name}", added.get("root_uri", "").startswith("viking://resources/"), added)

found = until(lambda: (answer := tool("viking_search", query="green tea")) and len(answer["results"]) > 1 and answer)
memory = next((uri for uri in uris(found or {"results": []}) if "/memories/" in uri), "")
check("finds the memory", memory.startswith("viking://user/default/peers/hermes/memories/preferences/"), found)
check("finds the document", any(uri.endswith("brewing.md") for uri in uris(found)), found)
deep = tool("viking_search", query="green tea", mode="deep")
check("searches with a session that nobody created", deep["results"], deep)

for level in ("abstract", "overview", "full"):
    read = tool("viking_read", uri=memory, level=level)
    check(f"reads the {level} of a memory", "prefers green tea" in read.get("content", ""), read)
folders = tool("viking_read", uris=["viking://resources", "viking://user/default"], level="overview")
check("reads overviews of folders", all("content" in one for one in folders["results"]), folders)
for action in ("list", "tree", "stat"):
    shown = tool("viking_browse", action=action, path="viking://resources")
    check(f"browses: {action}", shown.get("entries") or shown.get("isDir"), shown)

recalled = provider.prefetch("How hot is green tea brewed?", session_id="talk")
check("recalls before a turn", "80 degrees" in recalled, recalled)
provider.sync_turn("I moved to Lisbon last week, and I work as a nurse.", "Enjoy Lisbon!", session_id="talk")
check("captures a turn", until(lambda: provider._session_has_pending_tokens("talk")))
provider.on_session_end([])
check("commits the session", until(lambda: not provider._session_has_pending_tokens("talk")))
moved = until(lambda: [uri for uri in uris(tool("viking_search", query="Where does the user live? Lisbon")) if "/memories/" in uri])
check("finds what the session taught", moved, moved)

provider.on_memory_write("add", "user", "The user likes jazz.")
jazz = until(lambda: [uri for uri in uris(tool("viking_search", query="jazz")) if "/memories/" in uri])
check("mirrors what the agent remembers", jazz, jazz)
check("forgets", tool("viking_forget", uri=memory).get("status") == "deleted")
check("finds no more of it", memory not in uris(tool("viking_search", query="green tea")))
provider.shutdown()

print(f"{passed} passed, {failed} failed")
