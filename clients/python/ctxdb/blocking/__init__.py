"""The blocking client, made by :func:`ctxdb.connect`."""

from ctxdb.blocking.client import Client, connect

__all__ = ["Client", "connect"]
