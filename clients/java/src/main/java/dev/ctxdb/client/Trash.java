package dev.ctxdb.client;

import dev.ctxdb.v1.DeleteTrashRequest;
import dev.ctxdb.v1.DeleteTrashResponse;
import dev.ctxdb.v1.EmptyTrashRequest;
import dev.ctxdb.v1.EmptyTrashResponse;
import dev.ctxdb.v1.ListTrashRequest;
import dev.ctxdb.v1.ListTrashResponse;
import dev.ctxdb.v1.RestoreTrashRequest;
import dev.ctxdb.v1.RestoreTrashResponse;
import dev.ctxdb.v1.TrashServiceGrpc;

/** Trash: deleted and replaced files and folders, until they expire. */
public final class Trash {
  private final Caller caller;

  Trash(Caller caller) {
    this.caller = caller;
  }

  /** Returns a page of the trash, newest item first. */
  public ListTrashResponse list(ListTrashRequest request) {
    return caller.read(TrashServiceGrpc.getListTrashMethod(), request);
  }

  /** Restores an item to its old URI, or to another one. */
  public RestoreTrashResponse restore(RestoreTrashRequest request) {
    return caller.write(TrashServiceGrpc.getRestoreTrashMethod(), request);
  }

  /** Deletes one item for good. */
  public DeleteTrashResponse delete(DeleteTrashRequest request) {
    return caller.write(TrashServiceGrpc.getDeleteTrashMethod(), request);
  }

  /**
   * Deletes for good all items from the caller's own spaces, and items that the caller removed from
   * shared folders.
   */
  public EmptyTrashResponse empty(EmptyTrashRequest request) {
    return caller.write(TrashServiceGrpc.getEmptyTrashMethod(), request);
  }
}
