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

/** The state of the parts, for people. */
public final class Observer {
  private final Caller caller;

  Observer(Caller caller) {
    this.caller = caller;
  }

  /** The queues. */
  public ComponentStatus queue() {
    return caller.read(ObserverServiceGrpc.getGetQueueMethod(), GetQueueRequest.getDefaultInstance());
  }

  /** The vectors. */
  public ComponentStatus vectordb() {
    return caller.read(ObserverServiceGrpc.getGetVectordbMethod(), GetVectordbRequest.getDefaultInstance());
  }

  /** The models' token usage. */
  public ComponentStatus vlm() {
    return caller.read(ObserverServiceGrpc.getGetVlmMethod(), GetVlmRequest.getDefaultInstance());
  }

  /** All three. */
  public GetSystemResponse system() {
    return caller.read(ObserverServiceGrpc.getGetSystemMethod(), GetSystemRequest.getDefaultInstance());
  }

  /** Measurements over time; ROOT alone. */
  public ListMetricsResponse metrics(ListMetricsRequest request) {
    return caller.read(ObserverServiceGrpc.getListMetricsMethod(), request);
  }

  /** The servers that share the store, and the accounts that each of them owns; ROOT alone. */
  public ListMembersResponse members() {
    return caller.read(ObserverServiceGrpc.getListMembersMethod(), ListMembersRequest.getDefaultInstance());
  }

  /** Makes a server hand over all its accounts, or with {@code cancel} ends that; ROOT alone. */
  public DrainMemberResponse drainMember(DrainMemberRequest request) {
    return caller.write(ObserverServiceGrpc.getDrainMemberMethod(), request);
  }

  /** Hands an account over to a server; ROOT alone. */
  public MoveAccountResponse moveAccount(MoveAccountRequest request) {
    return caller.write(ObserverServiceGrpc.getMoveAccountMethod(), request);
  }

  /** Jobs that were given up; ADMIN and ROOT. */
  public ListDeadLettersResponse deadLetters(ListDeadLettersRequest request) {
    return caller.read(ObserverServiceGrpc.getListDeadLettersMethod(), request);
  }

  /** Queues a job that was given up again; ADMIN and ROOT. */
  public RetryDeadLetterResponse retryDeadLetter(RetryDeadLetterRequest request) {
    return caller.write(ObserverServiceGrpc.getRetryDeadLetterMethod(), request);
  }

  /** Administrative and refused calls; ADMIN and ROOT. */
  public ListAuditResponse audit(ListAuditRequest request) {
    return caller.read(ObserverServiceGrpc.getListAuditMethod(), request);
  }

  /** Whether all parts are well. */
  public GetHealthResponse health() {
    return caller.read(ObserverServiceGrpc.getGetHealthMethod(), GetHealthRequest.getDefaultInstance());
  }
}
