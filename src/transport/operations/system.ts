import { SystemService } from "../../../gen/ctxdb/v1/system_pb.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { getStatus } from "../../service/system/get-status.ts";
import { checkUsage, getUsage, type UsageDeps } from "../../service/system/get-usage.ts";
import { waitProcessed } from "../../service/system/wait-processed.ts";
import { type Operation, unary } from "../operation.ts";

const { method } = SystemService;

export interface SystemDeps extends UsageDeps {
  readonly version: string;
  readonly clock: () => number;
  /** Unix time in ms. */
  readonly startedAt: number;
  readonly queue: JobQueue;
}

export const systemOperations = (deps: SystemDeps): Operation[] => [
  unary(method.getStatus, (call) => getStatus(deps, call)),
  unary(
    method.getUsage,
    (call, request) => getUsage(deps, call, request),
    (caller, path) => checkUsage(caller, path.account_id),
  ),
  unary(method.waitProcessed, (call, request) => waitProcessed(deps, call, request)),
];
