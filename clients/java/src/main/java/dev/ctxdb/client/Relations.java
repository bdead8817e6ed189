package dev.ctxdb.client;

import dev.ctxdb.v1.LinkNodesRequest;
import dev.ctxdb.v1.LinkNodesResponse;
import dev.ctxdb.v1.ListRelationsRequest;
import dev.ctxdb.v1.ListRelationsResponse;
import dev.ctxdb.v1.RelationServiceGrpc;
import dev.ctxdb.v1.UnlinkNodesRequest;
import dev.ctxdb.v1.UnlinkNodesResponse;

/** Relations: directed links between URIs, with a reason. */
public final class Relations {
  private final Caller caller;

  Relations(Caller caller) {
    this.caller = caller;
  }

  /** Links a file or folder to one or several others. An existing link gets the new reason. */
  public LinkNodesResponse link(LinkNodesRequest request) {
    return caller.write(RelationServiceGrpc.getLinkNodesMethod(), request);
  }

  /** Removes a link in one direction; not an error if there is none. */
  public UnlinkNodesResponse unlink(UnlinkNodesRequest request) {
    return caller.write(RelationServiceGrpc.getUnlinkNodesMethod(), request);
  }

  /** Returns the relations of a URI that the caller may see. */
  public ListRelationsResponse list(ListRelationsRequest request) {
    return caller.read(RelationServiceGrpc.getListRelationsMethod(), request);
  }

  /** Returns the relations of a URI that the caller may see. */
  public ListRelationsResponse list(String uri) {
    return list(ListRelationsRequest.newBuilder().setUri(uri).build());
  }
}
