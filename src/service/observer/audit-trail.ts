import type { Clock } from "../../base/clock.ts";
import { type AccountId, isAccountId, type WorkspaceId } from "../../domain/ids.ts";
import { type Kv, type KvOp, pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord, isMissingOr, isNumber, isText, objects } from "../../storage/record-codec.ts";

/**
 * Maximum number of entries for the server, and per workspace, so that no workspace displaces the entries of
 * others.
 */
const MAX_KEPT = 5000;
const MAX_OF_WORKSPACE = 1000;
/**
 * Delay in ms before entries are written together. A killed server loses unwritten entries here, but not in
 * CTXDB_AUDIT_LOG.
 */
const WRITE_MS = 1000;
/** Minimum interval in ms between removals of expired entries, each of which scans all entries. */
const EXPIRE_MS = 3600_000;
const PAGE = 1000;
const MAX_SUBJECT = 256;

const ALL = "s/audit/";
const keyOf = (sequence: number): string => `${ALL}${sequence.toString(36).padStart(10, "0")}`;

/** An audited call, without the API key. */
export interface AuditedCall {
  readonly operation: string;
  readonly wire: string;
  readonly code: string;
  readonly request_id: string;
  readonly peer: string | undefined;
  readonly account: AccountId | undefined;
  readonly user: string | undefined;
  readonly role: string | undefined;
  readonly subject: string | undefined;
}

export interface AuditRecord extends AuditedCall {
  /** Increases with each entry. */
  readonly sequence: number;
  /** Unix time in ms. */
  readonly at: number;
  /** Incarnation of the caller's account; absent if the account is unknown. */
  readonly workspace?: WorkspaceId;
}

/** Unknown callers have neither account nor user. */
const AUDIT_RECORDS = objects<AuditRecord>(
  "audited call",
  ({ operation, wire, code, account, sequence, at, workspace }) =>
    isText(operation) &&
    isText(wire) &&
    isText(code) &&
    isMissingOr(account, isAccountId) &&
    isNumber(sequence) &&
    isNumber(at) &&
    isMissingOr(workspace, isNumber),
);

interface Deps {
  readonly kv: Kv;
  readonly clock: Clock;
  /** Whether this server may write server records; if not, entries are kept in memory only. */
  readonly mayWrite?: () => boolean;
  /** Retention of a workspace's entries in ms; undefined: unlimited. */
  readonly lifeOf?: ((workspace: WorkspaceId) => number | undefined) | undefined;
  /** Called with errors from background work. */
  readonly report: (what: string, error: unknown) => void;
}

/** The latest audited calls, in memory and in the store, for administrators. */
export class AuditTrail {
  readonly #deps: Deps;
  /** Oldest first. */
  readonly #entries: AuditRecord[];
  readonly #counts = new Map<number | undefined, number>();
  #next: number;
  /** Time of the last removal of expired entries. */
  #expiredAt = Number.NEGATIVE_INFINITY;
  /** Sequence numbers of entries to write, or to delete from the store if they were removed. */
  #changed = new Set<number>();
  #timer: NodeJS.Timeout | undefined;

  private constructor(deps: Deps, entries: AuditRecord[]) {
    this.#deps = deps;
    this.#entries = entries;
    this.#next = (entries.at(-1)?.sequence ?? 0) + 1;
    for (const { workspace } of entries) this.#count(workspace, 1);
  }

  static async open(deps: Deps): Promise<AuditTrail> {
    const entries: AuditRecord[] = [];
    for await (const page of pairPages(deps.kv, prefixRange(ALL, PAGE)))
      for (const [key, value] of page) entries.push(AUDIT_RECORDS.decode(value, key));
    return new AuditTrail(deps, entries);
  }

  add(call: AuditedCall, workspace: WorkspaceId | undefined): void {
    if (this.#deps.clock() - this.#expiredAt >= EXPIRE_MS) this.#removeExpired();
    if ((this.#counts.get(workspace) ?? 0) >= MAX_OF_WORKSPACE)
      this.#remove(this.#entries.findIndex((entry) => entry.workspace === workspace));
    else if (this.#entries.length >= MAX_KEPT) this.#remove(0);
    const sequence = this.#next++;
    const subject = call.subject?.slice(0, MAX_SUBJECT).toWellFormed();
    const known = workspace === undefined ? {} : { workspace };
    this.#entries.push({ ...call, subject, ...known, sequence, at: this.#deps.clock() });
    this.#count(workspace, 1);
    this.#note(sequence);
  }

  /** Entries of one workspace or of all with sequence numbers below `before`, newest first. */
  list(of: number | "everything", limit: number, before = Number.POSITIVE_INFINITY): AuditRecord[] {
    const found: AuditRecord[] = [];
    for (let at = this.#entries.length - 1; at >= 0 && found.length < limit; at--) {
      const entry = this.#entries[at];
      const isWanted = of === "everything" || entry?.workspace === of;
      if (entry && entry.sequence < before && isWanted && !this.#isExpired(entry)) found.push(entry);
    }
    return found;
  }

  /** Writes pending entries. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#write();
  }

  #removeExpired(): void {
    this.#expiredAt = this.#deps.clock();
    for (let at = this.#entries.length - 1; at >= 0; at--) {
      const entry = this.#entries[at];
      if (entry && this.#isExpired(entry)) this.#remove(at);
    }
  }

  #isExpired({ workspace, at }: AuditRecord): boolean {
    const life = workspace === undefined ? undefined : this.#deps.lifeOf?.(workspace);
    return life !== undefined && at + life <= this.#deps.clock();
  }

  #remove(at: number): void {
    const [removed] = this.#entries.splice(at, 1);
    if (!removed) return;
    this.#count(removed.workspace, -1);
    this.#note(removed.sequence);
  }

  #count(workspace: WorkspaceId | undefined, step: number): void {
    const count = (this.#counts.get(workspace) ?? 0) + step;
    if (count === 0) this.#counts.delete(workspace);
    else this.#counts.set(workspace, count);
  }

  #note(sequence: number): void {
    this.#changed.add(sequence);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#write().catch((error: unknown) => this.#deps.report("writing the audit trail", error));
    }, WRITE_MS).unref();
  }

  async #write(): Promise<void> {
    if (this.#changed.size === 0) return;
    const changed = this.#changed;
    this.#changed = new Set();
    if (this.#deps.mayWrite?.() === false) return;
    const present = new Map(this.#entries.map((entry) => [entry.sequence, entry]));
    const ops = [...changed].map((sequence): KvOp => {
      const entry = present.get(sequence);
      return { key: keyOf(sequence), value: entry && encodeRecord(entry) };
    });
    try {
      for (let at = 0; at < ops.length; at += PAGE) {
        const page = ops.slice(at, at + PAGE);
        await this.#deps.kv.transact(() => ({ ops: page, apply: () => undefined }), { sync: false });
      }
    } catch (error) {
      // include these in the next write
      for (const sequence of changed) this.#changed.add(sequence);
      throw error;
    }
  }
}
