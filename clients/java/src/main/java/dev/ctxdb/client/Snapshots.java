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

/** Snapshots: named states of folders that can be listed, read, compared and restored. */
public final class Snapshots {
  private final Caller caller;

  Snapshots(Caller caller) {
    this.caller = caller;
  }

  /** Creates a snapshot of a folder, or of the workspace. Nothing is copied. */
  public Snapshot create(CreateSnapshotRequest request) {
    return caller.write(SnapshotServiceGrpc.getCreateSnapshotMethod(), request);
  }

  /** Returns a page of snapshots, newest first. */
  public ListSnapshotsResponse list(ListSnapshotsRequest request) {
    return caller.read(SnapshotServiceGrpc.getListSnapshotsMethod(), request);
  }

  /** Returns one snapshot. */
  public Snapshot get(GetSnapshotRequest request) {
    return caller.read(SnapshotServiceGrpc.getGetSnapshotMethod(), request);
  }

  /**
   * Lists the files and folders in a folder of a snapshot. To read a file, call content().read with
   * the snapshot.
   */
  public ListSnapshotEntriesResponse entries(ListSnapshotEntriesRequest request) {
    return caller.read(SnapshotServiceGrpc.getListSnapshotEntriesMethod(), request);
  }

  /** Compares a snapshot with a later one, or with the current state. */
  public DiffSnapshotsResponse diff(DiffSnapshotsRequest request) {
    return caller.read(SnapshotServiceGrpc.getDiffSnapshotsMethod(), request);
  }

  /**
   * Restores a folder from a snapshot: changed files get a new version, added ones go to the trash.
   */
  public RestoreSnapshotResponse restore(RestoreSnapshotRequest request) {
    return caller.write(SnapshotServiceGrpc.getRestoreSnapshotMethod(), request);
  }

  /** Deletes a snapshot, and content that no other snapshot needs. */
  public DeleteSnapshotResponse delete(DeleteSnapshotRequest request) {
    return caller.write(SnapshotServiceGrpc.getDeleteSnapshotMethod(), request);
  }
}
