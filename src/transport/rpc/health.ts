import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../../gen/grpc/health/v1/health_pb.ts";

/**
 * grpc.health.v1, open to all (ruling A3): the server as a whole and each of `services` by its full name is SERVING until `stopping`
 * aborts.
 * Check of another service is NOT_FOUND; Watch reports it as SERVICE_UNKNOWN, and every change once.
 */
export function registerHealth(router: ConnectRouter, services: readonly string[], stopping: AbortSignal): void {
  const known = new Set(["", ...services]);
  const current = (service: string): Status => {
    if (!known.has(service)) return Status.SERVICE_UNKNOWN;
    return stopping.aborted ? Status.NOT_SERVING : Status.SERVING;
  };
  router.service(Health, {
    check({ service }) {
      const status = current(service);
      if (status === Status.SERVICE_UNKNOWN) throw new ConnectError(`unknown service: ${service.slice(0, 200)}`, Code.NotFound);
      return { status };
    },
    async *watch({ service }, { signal }) {
      yield { status: current(service) };
      await firstOf(signal, stopping);
      if (!signal.aborted) yield { status: current(service) };
    },
  });
}

function firstOf(...signals: readonly AbortSignal[]): Promise<void> {
  if (signals.some((signal) => signal.aborted)) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = () => {
      for (const signal of signals) signal.removeEventListener("abort", settle);
      resolve();
    };
    for (const signal of signals) signal.addEventListener("abort", settle);
  });
}
