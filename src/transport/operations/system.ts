import { SystemService } from "../../../gen/ctxdb/v1/system_pb.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { getStatus } from "../../service/system/get-status.ts";
import { waitProcessed } from "../../service/system/wait-processed.ts";
import type { Tenants } from "../../service/tenants.ts";
import { type Operation, unary } from "../operation.ts";

const { method } = SystemService;

export interface SystemDeps {
  readonly version: string;
  readonly clock: () => number;
  /** Unix time in ms. */
  readonly startedAt: number;
  readonly tenants: Tenants;
  readonly queue: JobQueue;
}

export const systemOperations = (deps: SystemDeps): Operation[] => [
  unary(method.getStatus, (call) => getStatus(deps, call)),
  unary(method.waitProcessed, (call, request) => waitProcessed(deps, call, request)),
];
