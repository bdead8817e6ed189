import type { MessageShape } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import {
  Health,
  HealthCheckResponse_ServingStatus as Status,
} from "../../../gen/grpc/health/v1/health_pb.ts";
import { notFound } from "../../domain/errors.ts";
import { operationName, type UnaryOperation } from "../operation.ts";

/** Maximum length of a service name repeated in an error. */
const MAX_NAME_LENGTH = 200;

/** Status of a service by its full name; "" for the whole server. */
export type CurrentStatus = (service: string) => Status;

/**
 * Status for grpc.health.v1: the server and each of `services` (full names) are SERVING until `stopping`
 * aborts.
 */
export function statusOf(services: readonly string[], stopping: AbortSignal): CurrentStatus {
  const known = new Set(["", ...services]);
  return (service) => {
    if (!known.has(service)) return Status.SERVICE_UNKNOWN;
    return stopping.aborted ? Status.NOT_SERVING : Status.SERVING;
  };
}

/** Implements Check, which is open to all; NOT_FOUND for an unknown service. */
export function healthCheck(current: CurrentStatus): UnaryOperation {
  const method = Health.method.check;
  return {
    kind: "unary",
    name: operationName(method),
    access: "open",
    effect: "reads",
    method,
    handle(_, request) {
      const { service } = request as MessageShape<typeof method.input>;
      const status = current(service);
      if (status === Status.SERVICE_UNKNOWN) throw notFound("service", service.slice(0, MAX_NAME_LENGTH));
      return { status };
    },
  };
}

/**
 * Implements Watch, which is open to all; an unknown service is SERVICE_UNKNOWN, and every change is sent
 * once.
 */
export function registerWatch(router: ConnectRouter, current: CurrentStatus, stopping: AbortSignal): void {
  router.rpc(Health.method.watch, async function* watch({ service }, { signal }) {
    yield { status: current(service) };
    await firstOf(signal, stopping);
    if (!signal.aborted) yield { status: current(service) };
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
