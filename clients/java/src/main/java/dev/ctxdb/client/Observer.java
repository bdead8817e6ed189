package dev.ctxdb.client;

import dev.ctxdb.v1.ComponentStatus;
import dev.ctxdb.v1.GetHealthRequest;
import dev.ctxdb.v1.GetHealthResponse;
import dev.ctxdb.v1.GetQueueRequest;
import dev.ctxdb.v1.GetSystemRequest;
import dev.ctxdb.v1.GetSystemResponse;
import dev.ctxdb.v1.GetVectordbRequest;
import dev.ctxdb.v1.GetVlmRequest;
import dev.ctxdb.v1.DrainMemberRequest;
import dev.ctxdb.v1.DrainMemberResponse;
import dev.ctxdb.v1.ListAuditRequest;
import dev.ctxdb.v1.ListAuditResponse;
import dev.ctxdb.v1.ListDeadLettersRequest;
import dev.ctxdb.v1.ListDeadLettersResponse;
import dev.ctxdb.v1.ListMembersRequest;
import dev.ctxdb.v1.ListMembersResponse;
import dev.ctxdb.v1.ListMetricsRequest;
import dev.ctxdb.v1.ListMetricsResponse;
import dev.ctxdb.v1.MoveAccountRequest;
import dev.ctxdb.v1.MoveAccountResponse;
import dev.ctxdb.v1.ObserverServiceGrpc;
import dev.ctxdb.v1.RetryDeadLetterRequest;
import dev.ctxdb.v1.RetryDeadLetterResponse;

/** State of the server's components. */
public final class Observer {
  private final Caller caller;

  Observer(Caller caller) {
    this.caller = caller;
  }

  /** Returns the state of the queues. */
  public ComponentStatus queue() {
    return caller.read(ObserverServiceGrpc.getGetQueueMethod(), GetQueueRequest.getDefaultInstance());
  }

  /** Returns the state of the vectors. */
  public ComponentStatus vectordb() {
    return caller.read(ObserverServiceGrpc.getGetVectordbMethod(), GetVectordbRequest.getDefaultInstance());
  }

  /** Returns the tokens used by models. */
  public ComponentStatus vlm() {
    return caller.read(ObserverServiceGrpc.getGetVlmMethod(), GetVlmRequest.getDefaultInstance());
  }

  /** Returns the state of the queues, the vector index and the models, and the problems found. */
  public GetSystemResponse system() {
    return caller.read(ObserverServiceGrpc.getGetSystemMethod(), GetSystemRequest.getDefaultInstance());
  }

  /** Returns measurements over time. Requires ROOT. */
  public ListMetricsResponse metrics(ListMetricsRequest request) {
    return caller.read(ObserverServiceGrpc.getListMetricsMethod(), request);
  }

  /** Returns the servers that share the store, with their accounts. Requires ROOT. */
  public ListMembersResponse members() {
    return caller.read(ObserverServiceGrpc.getListMembersMethod(), ListMembersRequest.getDefaultInstance());
  }

  /** Makes a server hand over all its accounts; {@code cancel} stops this. Requires ROOT. */
  public DrainMemberResponse drainMember(DrainMemberRequest request) {
    return caller.write(ObserverServiceGrpc.getDrainMemberMethod(), request);
  }

  /** Hands an account over to a server. Requires ROOT. */
  public MoveAccountResponse moveAccount(MoveAccountRequest request) {
    return caller.write(ObserverServiceGrpc.getMoveAccountMethod(), request);
  }

  /** Returns jobs that were given up. Requires ADMIN or ROOT. */
  public ListDeadLettersResponse deadLetters(ListDeadLettersRequest request) {
    return caller.read(ObserverServiceGrpc.getListDeadLettersMethod(), request);
  }

  /** Queues the job of a dead letter again. Requires ADMIN or ROOT. */
  public RetryDeadLetterResponse retryDeadLetter(RetryDeadLetterRequest request) {
    return caller.write(ObserverServiceGrpc.getRetryDeadLetterMethod(), request);
  }

  /** Returns administrative and refused calls. Requires ADMIN or ROOT. */
  public ListAuditResponse audit(ListAuditRequest request) {
    return caller.read(ObserverServiceGrpc.getListAuditMethod(), request);
  }

  /** Returns whether all components work. */
  public GetHealthResponse health() {
    return caller.read(ObserverServiceGrpc.getGetHealthMethod(), GetHealthRequest.getDefaultInstance());
  }
}
