import { Budget } from "../base/budget.ts";
import type { Closers } from "../base/closers.ts";
import type { Config } from "../config/config.ts";
import { overBudget } from "../domain/errors.ts";
import { openAuditLog } from "../transport/audit-log.ts";
import { readTls } from "../transport/connections/tls.ts";
import { RateLimit } from "../transport/rate-limit.ts";
import type { TransportOptions } from "../transport/transport.ts";

type Edge = Pick<TransportOptions, "tls" | "rateLimit" | "auditLog" | "memory">;

/** One account gets this part of the memory of all calls at most. */
const ACCOUNT_SHARE = 1 / 8;

/** What stands between the network and the operations, where it is configured. */
export function openEdge({ tls, rateLimit, auditLog, callMemoryBytes: total }: Config, closers: Closers): Edge {
  const audit = auditLog === undefined ? undefined : openAuditLog(auditLog);
  if (audit) closers.add("audit log", "storage", () => audit.close());
  return {
    memory: new Budget({ perKey: total * ACCOUNT_SHARE, total }, overBudget("memory of calls")),
    ...(tls && { tls: readTls(tls) }),
    ...(rateLimit !== undefined && { rateLimit: new RateLimit(rateLimit) }),
    ...(audit && { auditLog: audit }),
  };
}
