# Made from ctxdb/aio/snapshots.py by tools/blocking.py: change that and run generate.sh.
"""Snapshots: named states of folders that can be listed, read, compared and restored."""

from __future__ import annotations

from ctxdb._gen.messages.snapshot_pb2 import (
    CreateSnapshotRequest,
    DeleteSnapshotRequest,
    DeleteSnapshotResponse,
    DiffSnapshotsRequest,
    DiffSnapshotsResponse,
    GetSnapshotRequest,
    ListSnapshotEntriesRequest,
    ListSnapshotEntriesResponse,
    ListSnapshotsRequest,
    ListSnapshotsResponse,
    RestoreSnapshotRequest,
    RestoreSnapshotResponse,
    Snapshot,
)
from ctxdb._calls import Calls


class Snapshots:
    """Snapshots of folders and of the workspace."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(
        self,
        name: str,
        *,
        uri: str | None = None,
        description: str | None = None,
        expires_in_seconds: int | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> Snapshot:
        """Creates a snapshot of a folder, or of the workspace. Nothing is copied."""
        request = CreateSnapshotRequest(
            name=name, uri=uri, description=description, expires_in_seconds=expires_in_seconds, idempotency_key=idempotency_key
        )
        return self._calls.write("SnapshotService/CreateSnapshot", request, Snapshot, deadline)

    def list(self, *, limit: int | None = None, cursor: str | None = None, deadline: float | None = None) -> ListSnapshotsResponse:
        """Returns a page of snapshots, newest first."""
        request = ListSnapshotsRequest(limit=limit, cursor=cursor)
        return self._calls.read("SnapshotService/ListSnapshots", request, ListSnapshotsResponse, deadline)

    def get(self, name: str, *, deadline: float | None = None) -> Snapshot:
        """Returns one snapshot."""
        return self._calls.read("SnapshotService/GetSnapshot", GetSnapshotRequest(name=name), Snapshot, deadline)

    def entries(
        self,
        name: str,
        *,
        uri: str | None = None,
        recursive: bool = False,
        limit: int | None = None,
        cursor: str | None = None,
        deadline: float | None = None,
    ) -> ListSnapshotEntriesResponse:
        """Lists the files and folders in a folder of a snapshot. To read a file, call ``content.read`` with
        ``snapshot``.
        """
        request = ListSnapshotEntriesRequest(name=name, uri=uri, recursive=recursive, limit=limit, cursor=cursor)
        return self._calls.read("SnapshotService/ListSnapshotEntries", request, ListSnapshotEntriesResponse, deadline)

    def diff(
        self,
        name: str,
        *,
        to_snapshot: str | None = None,
        uri: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        deadline: float | None = None,
    ) -> DiffSnapshotsResponse:
        """Compares a snapshot with a later one, or with the current state."""
        request = DiffSnapshotsRequest(name=name, to_snapshot=to_snapshot, uri=uri, limit=limit, cursor=cursor)
        return self._calls.read("SnapshotService/DiffSnapshots", request, DiffSnapshotsResponse, deadline)

    def restore(
        self,
        name: str,
        *,
        uri: str | None = None,
        keep_added: bool = False,
        dry_run: bool = False,
        wait: bool = False,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> RestoreSnapshotResponse:
        """Restores a folder from a snapshot: changed files get a new version, added ones go to the trash. The
        task ``task_id`` makes many changes.
        """
        request = RestoreSnapshotRequest(
            name=name,
            uri=uri,
            keep_added=keep_added,
            dry_run=dry_run,
            wait=wait,
            timeout=timeout,
            idempotency_key=idempotency_key,
        )
        return self._calls.write("SnapshotService/RestoreSnapshot", request, RestoreSnapshotResponse, deadline)

    def delete(self, name: str, *, deadline: float | None = None) -> DeleteSnapshotResponse:
        """Deletes a snapshot, and content that no other snapshot needs."""
        return self._calls.write("SnapshotService/DeleteSnapshot", DeleteSnapshotRequest(name=name), DeleteSnapshotResponse, deadline)
