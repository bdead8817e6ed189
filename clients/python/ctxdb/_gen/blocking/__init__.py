# Made from ctxdb/aio/__init__.py by tools/blocking.py: change that and run generate.sh.
"""The client for threads: ``with ctxdb.connect() as client: …``."""

from ctxdb._gen.blocking.client import Client, connect

__all__ = ["Client", "connect"]
