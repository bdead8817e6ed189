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

/** What was deleted or replaced, until it expires. */
public final class Trash {
  private final Caller caller;

  Trash(Caller caller) {
    this.caller = caller;
  }

  /** A page of the trash, the newest item first. */
  public ListTrashResponse list(ListTrashRequest request) {
    return caller.read(TrashServiceGrpc.getListTrashMethod(), request);
  }

  /** Puts an item back to where it was, or to another place. */
  public RestoreTrashResponse restore(RestoreTrashRequest request) {
    return caller.write(TrashServiceGrpc.getRestoreTrashMethod(), request);
  }

  /** Deletes one item for good. */
  public DeleteTrashResponse delete(DeleteTrashRequest request) {
    return caller.write(TrashServiceGrpc.getDeleteTrashMethod(), request);
  }

  /** Deletes for good what was removed from the caller's own spaces, and by the caller from shared places. */
  public EmptyTrashResponse empty(EmptyTrashRequest request) {
    return caller.write(TrashServiceGrpc.getEmptyTrashMethod(), request);
  }
}
