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

/** The server, who the caller is to it, and waiting for the queues. */
public final class SystemGroup {
  private final Caller caller;

  SystemGroup(Caller caller) {
    this.caller = caller;
  }

  /** The server, and who the caller is to it. */
  public GetStatusResponse status() {
    return caller.read(SystemServiceGrpc.getGetStatusMethod(), GetStatusRequest.getDefaultInstance());
  }

  /** What an account uses of each limited resource, with the limits; by default the caller's account. */
  public GetUsageResponse usage(GetUsageRequest request) {
    return caller.read(SystemServiceGrpc.getGetUsageMethod(), request);
  }

  /** Waits until all work of the caller's account is done; the work goes on after DEADLINE_EXCEEDED. */
  public WaitProcessedResponse await(WaitProcessedRequest request) {
    return caller.read(SystemServiceGrpc.getWaitProcessedMethod(), request);
  }

  /** Whether the server takes calls; needs no key. */
  public boolean health() {
    return caller.read(HealthGrpc.getCheckMethod(), HealthCheckRequest.getDefaultInstance()).getStatus() == ServingStatus.SERVING;
  }
}
