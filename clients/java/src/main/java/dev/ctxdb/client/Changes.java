package dev.ctxdb.client;

import dev.ctxdb.v1.ChangeServiceGrpc;
import dev.ctxdb.v1.ListChangesRequest;
import dev.ctxdb.v1.ListChangesResponse;
import dev.ctxdb.v1.WatchChangesRequest;
import dev.ctxdb.v1.WatchChangesResponse;

/** Changes of files and folders, in commit order. */
public final class Changes {
  private final Caller caller;

  Changes(Caller caller) {
    this.caller = caller;
  }

  /** Returns a page of changes. Its cursor continues with later changes. */
  public ListChangesResponse list(ListChangesRequest request) {
    return caller.read(ChangeServiceGrpc.getListChangesMethod(), request);
  }

  /**
   * Streams changes as they are committed. After an error, watch again with the cursor of the last
   * event, so that no change is missed.
   */
  public Messages<WatchChangesResponse> watch(WatchChangesRequest request) {
    return caller.stream(ChangeServiceGrpc.getWatchChangesMethod(), request);
  }
}
