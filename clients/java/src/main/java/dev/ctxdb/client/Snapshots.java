package dev.ctxdb.client;

import dev.ctxdb.v1.CreateSnapshotRequest;
import dev.ctxdb.v1.DeleteSnapshotRequest;
import dev.ctxdb.v1.DeleteSnapshotResponse;
import dev.ctxdb.v1.DiffSnapshotsRequest;
import dev.ctxdb.v1.DiffSnapshotsResponse;
import dev.ctxdb.v1.GetSnapshotRequest;
import dev.ctxdb.v1.ListSnapshotEntriesRequest;
import dev.ctxdb.v1.ListSnapshotEntriesResponse;
import dev.ctxdb.v1.ListSnapshotsRequest;
import dev.ctxdb.v1.ListSnapshotsResponse;
import dev.ctxdb.v1.RestoreSnapshotRequest;
import dev.ctxdb.v1.RestoreSnapshotResponse;
import dev.ctxdb.v1.Snapshot;
import dev.ctxdb.v1.SnapshotServiceGrpc;

/** Named states of folders that can be listed, read, compared and restored. */
public final class Snapshots {
  private final Caller caller;

  Snapshots(Caller caller) {
    this.caller = caller;
  }

  /** Names the present state of a folder, or of the workspace; nothing is copied. */
  public Snapshot create(CreateSnapshotRequest request) {
    return caller.write(SnapshotServiceGrpc.getCreateSnapshotMethod(), request);
  }

  /** A page, the newest snapshot first. */
  public ListSnapshotsResponse list(ListSnapshotsRequest request) {
    return caller.read(SnapshotServiceGrpc.getListSnapshotsMethod(), request);
  }

  /** One snapshot. */
  public Snapshot get(GetSnapshotRequest request) {
    return caller.read(SnapshotServiceGrpc.getGetSnapshotMethod(), request);
  }

  /** The files and folders of a folder as they were. Read one with content().read and its snapshot. */
  public ListSnapshotEntriesResponse entries(ListSnapshotEntriesRequest request) {
    return caller.read(SnapshotServiceGrpc.getListSnapshotEntriesMethod(), request);
  }

  /** What differs between a snapshot and a later one, or the present. */
  public DiffSnapshotsResponse diff(DiffSnapshotsRequest request) {
    return caller.read(SnapshotServiceGrpc.getDiffSnapshotsMethod(), request);
  }

  /** Makes a folder as it was: changed files get a new version, added ones go to the trash. */
  public RestoreSnapshotResponse restore(RestoreSnapshotRequest request) {
    return caller.write(SnapshotServiceGrpc.getRestoreSnapshotMethod(), request);
  }

  /** Deletes a snapshot, with what only it kept. */
  public DeleteSnapshotResponse delete(DeleteSnapshotRequest request) {
    return caller.write(SnapshotServiceGrpc.getDeleteSnapshotMethod(), request);
  }
}
