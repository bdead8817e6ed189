import type { Closers } from "./base/closers.ts";
import type { Config } from "./config/config.ts";
import { openAuditLog } from "./transport/audit-log.ts";
import { RateLimit } from "./transport/rate-limit.ts";
import { readTls } from "./transport/tls.ts";
import type { TransportOptions } from "./transport/transport.ts";

/** What stands between the network and the operations, where it is configured. */
export function openEdge({ tls, rateLimit, auditLog }: Config, closers: Closers): Pick<TransportOptions, "tls" | "rateLimit" | "auditLog"> {
  const audit = auditLog === undefined ? undefined : openAuditLog(auditLog);
  if (audit) closers.add("audit log", "storage", () => audit.close());
  return {
    ...(tls && { tls: readTls(tls) }),
    ...(rateLimit !== undefined && { rateLimit: new RateLimit(rateLimit) }),
    ...(audit && { auditLog: audit }),
  };
}
