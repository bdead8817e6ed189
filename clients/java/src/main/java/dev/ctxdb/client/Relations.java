package dev.ctxdb.client;

import dev.ctxdb.v1.LinkNodesRequest;
import dev.ctxdb.v1.LinkNodesResponse;
import dev.ctxdb.v1.ListRelationsRequest;
import dev.ctxdb.v1.ListRelationsResponse;
import dev.ctxdb.v1.RelationServiceGrpc;
import dev.ctxdb.v1.UnlinkNodesRequest;
import dev.ctxdb.v1.UnlinkNodesResponse;

/** Directed links between URIs, with a reason. */
public final class Relations {
  private final Caller caller;

  Relations(Caller caller) {
    this.caller = caller;
  }

  /** Links one node to another or to several; an existing link gets the new reason. */
  public LinkNodesResponse link(LinkNodesRequest request) {
    return caller.write(RelationServiceGrpc.getLinkNodesMethod(), request);
  }

  /** Removes one direction of a link; no error where there is none. */
  public UnlinkNodesResponse unlink(UnlinkNodesRequest request) {
    return caller.write(RelationServiceGrpc.getUnlinkNodesMethod(), request);
  }

  /** The relations of a URI that the caller may see. */
  public ListRelationsResponse list(ListRelationsRequest request) {
    return caller.read(RelationServiceGrpc.getListRelationsMethod(), request);
  }

  /** The relations of a URI that the caller may see. */
  public ListRelationsResponse list(String uri) {
    return list(ListRelationsRequest.newBuilder().setUri(uri).build());
  }
}
