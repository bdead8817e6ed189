"""What adapters of agent frameworks share: any key as a place in the tree, values as files, documents that are found, logs, memories.

Everything here is built on the public client and blocks; an adapter offers it to asyncio by :func:`asyncio.to_thread`.
"""

from ctxdb_records.documents import Documents, Stored
from ctxdb_records.files import (
    change_text,
    download,
    etag_of,
    in_parallel,
    own_folder,
    put_text,
    quiet_folder,
    read_text,
    read_value,
    remove,
    swap_value,
    to_value,
    update_value,
    write_value,
)
from ctxdb_records.log import Log
from ctxdb_records.names import below, from_newest_first, key_path, newest_first, take_key
from ctxdb_records.remember import Said, remember, session_name

__all__ = [
    "Documents",
    "Log",
    "Said",
    "Stored",
    "below",
    "change_text",
    "download",
    "etag_of",
    "from_newest_first",
    "in_parallel",
    "key_path",
    "newest_first",
    "own_folder",
    "put_text",
    "quiet_folder",
    "read_text",
    "read_value",
    "remember",
    "remove",
    "session_name",
    "swap_value",
    "take_key",
    "to_value",
    "update_value",
    "write_value",
]
__version__ = "0.1.0"
