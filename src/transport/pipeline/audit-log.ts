import { pino, stdTimeFunctions } from "pino";
import { codeOf } from "../../base/faults.ts";
import { StartError } from "../../base/start-error.ts";
import type { Code, ServiceError } from "../../domain/errors.ts";
import type { AccountId, WorkspaceId } from "../../domain/ids.ts";
import type { RunningCall } from "../call.ts";

/** An entry of the audit log. Never contains keys. */
export interface AuditEntry {
  readonly operation: string;
  readonly wire: string;
  readonly code: Code | "OK";
  readonly request_id: string;
  /** Remote address of the connection. */
  readonly peer: string | undefined;
  /** The caller; undefined without authentication. */
  readonly account: AccountId | undefined;
  readonly user: string | undefined;
  readonly role: string | undefined;
  /** Subject of the administrative call or of the denial. */
  readonly subject: string | undefined;
}

export interface AuditLog {
  /** `workspace`: incarnation of the caller's account. */
  write(entry: AuditEntry, workspace: WorkspaceId | undefined): void;
  /**
   * Records the number of calls without a valid key that ended with `code` and have no entries of their own.
   */
  summarize(code: string, calls: number): void;
  close(): void;
}

/**
 * Appends JSON lines to a file; each is written before its call is answered. Throws a StartError if the file
 * is not writable.
 */
export function openAuditLog(path: string): AuditLog {
  try {
    const destination = pino.destination({ dest: path, sync: true, append: true, mode: 0o600 });
    const log = pino(
      { base: undefined, timestamp: stdTimeFunctions.isoTime, formatters: { level: (level) => ({ level }) } },
      destination,
    );
    return {
      write: (entry) => log.info(entry),
      summarize: (code, calls) =>
        log.warn({ code, calls }, "calls without a valid key that have no entry of their own"),
      close: () => destination.end(),
    };
  } catch (error) {
    throw new StartError(`CTXDB_AUDIT_LOG: the file cannot be written (${codeOf(error)})`, error);
  }
}

/** Writes entries to `trail`, which keeps the latest for the API, and to `file` if given. */
export const auditInto = (
  trail: { add(entry: AuditEntry, workspace: WorkspaceId | undefined): void },
  file: AuditLog | undefined,
): AuditLog => ({
  write: (entry, workspace) => {
    file?.write(entry, workspace);
    trail.add(entry, workspace);
  },
  summarize: (code, calls) => file?.summarize(code, calls),
  close: () => file?.close(),
});

const DENIED: ReadonlySet<string> = new Set<Code>(["UNAUTHENTICATED", "PERMISSION_DENIED"]);

/**
 * Administrative operations. They include webhooks, because these send readable content to another machine,
 * and refresh schedules, because these act for a user after the call.
 */
const ADMINISTRATION =
  /^(?:(?:AccountService|BackupService)\.|AccessService\.(?:Grant|Revoke|Create|Delete|Add|Remove|ListGroups)|WebhookService\.(?:Create|Update|Delete|Rotate)|ResourceService\.(?:ScheduleRefresh|DeleteRefreshSchedule))/;

/**
 * Whether a call is audited: administrative calls, calls with secrets in their content, and calls refused for
 * missing permission or too many wrong keys.
 */
const isAudited = (
  { operation, knownCaller, reply }: Pick<RunningCall, "operation" | "knownCaller" | "reply">,
  code: Code | "OK",
): boolean =>
  ADMINISTRATION.test(operation) ||
  DENIED.has(code) ||
  (knownCaller === undefined && code === "RESOURCE_EXHAUSTED") ||
  reply.secrets !== undefined;

/** Writes the entry of a call that has ended, if it is audited here. */
export function auditCall(log: AuditLog, call: RunningCall, error: ServiceError | undefined): void {
  const code = error?.code ?? "OK";
  const { operation, wire, requestId, peer, knownCaller, reply } = call;
  if (call.isAudited || !isAudited(call, code)) return;
  const denied = error?.details?.resource;
  const subject = reply.secrets?.summary ?? call.subject ?? (typeof denied === "string" ? denied : undefined);
  const { account, user, role } = knownCaller ?? {};
  log.write(
    { operation, wire, code, request_id: requestId, peer, account, user, role, subject },
    knownCaller?.accountIncarnation,
  );
}
