package dev.ctxdb.client;

import dev.ctxdb.v1.GetStatusRequest;
import dev.ctxdb.v1.GetStatusResponse;
import dev.ctxdb.v1.GetUsageRequest;
import dev.ctxdb.v1.GetUsageResponse;
import dev.ctxdb.v1.SystemServiceGrpc;
import dev.ctxdb.v1.WaitProcessedRequest;
import dev.ctxdb.v1.WaitProcessedResponse;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;

/** The server, the caller's identity, and waiting for the queues. */
public final class SystemGroup {
  private final Caller caller;

  SystemGroup(Caller caller) {
    this.caller = caller;
  }

  /** Returns the server's version and uptime, and the caller's identity. */
  public GetStatusResponse status() {
    return caller.read(SystemServiceGrpc.getGetStatusMethod(), GetStatusRequest.getDefaultInstance());
  }

  /** Returns an account's usage and limits; by default the caller's account. */
  public GetUsageResponse usage(GetUsageRequest request) {
    return caller.read(SystemServiceGrpc.getGetUsageMethod(), request);
  }

  /**
   * Waits until all work of the caller's account is done. After DEADLINE_EXCEEDED the work
   * continues.
   */
  public WaitProcessedResponse await(WaitProcessedRequest request) {
    return caller.read(SystemServiceGrpc.getWaitProcessedMethod(), request);
  }

  /** Returns whether the server accepts calls. Needs no key. */
  public boolean health() {
    return caller.read(HealthGrpc.getCheckMethod(), HealthCheckRequest.getDefaultInstance()).getStatus() == ServingStatus.SERVING;
  }
}
