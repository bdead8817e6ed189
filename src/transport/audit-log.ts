import { pino, stdTimeFunctions } from "pino";
import { codeOf } from "../base/faults.ts";
import { StartError } from "../base/start-error.ts";
import type { Code } from "../domain/errors.ts";
import type { AccountId, WorkspaceId } from "../domain/ids.ts";
import type { RunningCall } from "./call.ts";

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
  /** Records how many calls without a valid key ended with `code` without an entry of their own. */
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
 * Administrative operations. Webhooks are included, because they send readable content to another
 * machine, and schedules of imports, which act for a user after the call.
 */
const ADMINISTRATION =
  /^(?:(?:AccountService|BackupService)\.|AccessService\.(?:Grant|Revoke|Create|Delete|Add|Remove|ListGroups)|WebhookService\.(?:Create|Update|Delete|Rotate)|ResourceService\.(?:ScheduleRefresh|DeleteRefreshSchedule))/;

/**
 * Whether a call is audited: administrative calls, changes of webhooks and schedules, calls with secrets in
 * their content, and
 * calls refused for missing permission or too many wrong keys.
 */
export const isAudited = (
  { operation, knownCaller, reply }: Pick<RunningCall, "operation" | "knownCaller" | "reply">,
  code: Code | "OK",
): boolean =>
  ADMINISTRATION.test(operation) ||
  DENIED.has(code) ||
  (knownCaller === undefined && code === "RESOURCE_EXHAUSTED") ||
  reply.secrets !== undefined;
