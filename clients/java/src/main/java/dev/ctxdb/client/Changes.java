package dev.ctxdb.client;

import dev.ctxdb.v1.ChangeServiceGrpc;
import dev.ctxdb.v1.ListChangesRequest;
import dev.ctxdb.v1.ListChangesResponse;
import dev.ctxdb.v1.WatchChangesRequest;
import dev.ctxdb.v1.WatchChangesResponse;

/** What changes in the tree, in the order of commits. */
public final class Changes {
  private final Caller caller;

  Changes(Caller caller) {
    this.caller = caller;
  }

  /** One page; its cursor goes on with what comes later. */
  public ListChangesResponse list(ListChangesRequest request) {
    return caller.read(ChangeServiceGrpc.getListChangesMethod(), request);
  }

  /** The changes as they are committed. After an error, watch again with the cursor of the last event: nothing is missed. */
  public Messages<WatchChangesResponse> watch(WatchChangesRequest request) {
    return caller.stream(ChangeServiceGrpc.getWatchChangesMethod(), request);
  }
}
