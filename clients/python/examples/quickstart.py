"""The main job against a server: python examples/quickstart.py [ADDRESS] [KEY]"""

import sys
import tempfile
from pathlib import Path

import ctxdb

NOTES = {
    "tea.md": "# Tea\n\nGreen tea is brewed at 80 degrees for two minutes. Water that boils makes it bitter.\n",
    "travel/lisbon.md": "# Lisbon\n\nTram 28 climbs from Martim Moniz to the castle. The pastries of Belém are best while they are warm.\n",
}
ROOT = "ctx://resources/quickstart"


def write_notes(folder: Path) -> None:
    for name, text in NOTES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def main(address: str = "http://127.0.0.1:1933", key: str | None = None) -> None:
    # a separate user, so that memories do not mix with those of others
    with ctxdb.connect(address, key, user="quickstart-python") as client, tempfile.TemporaryDirectory() as folder:
        write_notes(Path(folder))
        added = client.resources.add_path(folder, to=ROOT, wait=True)
        print(f"added {added.root_uri}: {', '.join(entry.name for entry in client.fs.ls_all(added.root_uri))}")

        hit = client.search.find("how hot should the water for green tea be?", target_uri=ROOT, limit=1).resources[0]
        print(f"found {hit.uri}\n      {' '.join(hit.match.split())}")
        print(f"read  {client.content.read(hit.uri).splitlines()[0]}")

        session = client.sessions.create()
        client.sessions.add_message(session.session_id, "user", "My name is Ann. I prefer green tea, and our office is in Lisbon.")
        committed = client.sessions.commit(session.session_id)
        print(f"remembered {committed.memories_extracted} memories")

        # also until it is embedded
        client.system.wait()
        memory = client.search.search("which tea does Ann prefer?", target_uri="ctx://user", limit=1).memories[0]
        print(f"recalled {' '.join(memory.match.split())}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except ctxdb.Error as error:
        sys.exit(str(error))
