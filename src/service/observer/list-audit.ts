import type { Caller } from "../../domain/caller.ts";
import { invalidArgument, permissionDenied } from "../../domain/errors.ts";
import type { Cursors } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import type { AuditRecord, AuditTrail } from "./audit-trail.ts";
import { seesServer } from "./component.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

export interface AuditDeps {
  readonly tenants: Pick<Tenants, "openOrEmpty">;
  readonly audit: Pick<AuditTrail, "list">;
  readonly cursors: Cursors;
}

interface AuditView extends Record<"at" | "operation" | "wire" | "code" | "requestId" | "peer", string> {
  readonly account: string;
  readonly user: string;
  readonly role: string;
  readonly subject: string;
}

/** Throws unless the caller is ROOT or an administrator. */
export function checkAudit({ role }: Caller): void {
  if (role === "user")
    throw permissionDenied("audit log", "only ROOT and the administrators of the account may read it");
}

/** GET observer/audit: audited calls, newest first. */
export async function listAudit(
  deps: AuditDeps,
  call: ServiceCall,
  input: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
): Promise<{ entries: AuditView[]; nextCursor?: string }> {
  checkAudit(call.caller);
  const limit = input.limit ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  const { incarnation } = (await deps.tenants.openOrEmpty(call.caller)).workspace;
  const of = seesServer(call) ? "everything" : incarnation;
  const list = { operation: "audit", caller: call.caller, incarnation, args: [of] };
  const place = deps.cursors.open(list, input.cursor);
  const found = deps.audit.list(of, limit + 1, place === undefined ? undefined : Number(place));
  const shown = found.slice(0, limit);
  const entries = shown.map((record) => viewOf(record, call.caller));
  const last = shown.at(-1);
  return found.length > limit && last
    ? { entries, nextCursor: deps.cursors.seal(list, String(last.sequence)) }
    : { entries };
}

const viewOf = (record: AuditRecord, { role }: Caller): AuditView => ({
  at: new Date(record.at).toISOString(),
  operation: record.operation,
  wire: record.wire,
  code: record.code,
  requestId: record.request_id,
  peer: (role === "root" && record.peer) || "",
  account: record.account ?? "",
  user: record.user ?? "",
  role: record.role ?? "",
  subject: record.subject ?? "",
});
