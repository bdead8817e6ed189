"""What adapters of agent frameworks share: any key as a place in the tree, values as files, lists as logs.

Everything here is built on the public client and blocks; an adapter offers it to asyncio by :func:`asyncio.to_thread`.
"""

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
    write_value,
)
from ctxdb_records.log import Log
from ctxdb_records.names import from_newest_first, key_path, newest_first, take_key

__all__ = [
    "Log",
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
    "remove",
    "swap_value",
    "take_key",
    "to_value",
    "write_value",
]
__version__ = "0.1.0"
