"""The client for asyncio: ``async with ctxdb.aio.connect() as client: …``."""

from ctxdb.aio.client import Client, connect

__all__ = ["Client", "connect"]
