import { EventLoopYielder } from "../base/event-loop.ts";
import { isTreeChange, TREE_CHANGES, type TreeChange, type TreeChangeKind } from "../domain/change.ts";
import { invalidArgument } from "../domain/errors.ts";
import type { UserIncarnation } from "../domain/ids.ts";
import type { Author } from "../domain/node.ts";
import { checkVisible } from "../domain/scope.ts";
import { LogGap, type LoggedRecord, type LogPlace } from "../workspace/changes/change-log.ts";
import type { Tenant, Tenants } from "./tenants.ts";
import { type ChangeFilter, isGapFor, visibleChange, visibleSpaces } from "./visible-changes.ts";

/** A change as visible to a caller. */
export interface ChangeView {
  kind: TreeChangeKind;
  uri: string;
  previousUri?: string;
  isDir: boolean;
  time: string;
  size?: number;
  etag?: string;
  version?: number;
  user?: string;
}

/** Position of a reader in the log. */
export interface ReadPlace extends LogPlace {
  /** The reader accepts gaps before this change number; a later gap is an error. */
  readonly whole: number;
}

/** Maximum number of restarts of one read after changes of grants; the next read continues. */
const MAX_RESTARTS = 100;

/** Reads the changes of an account for one reader: its position and what it may see. */
export class ChangeReader {
  readonly #tenants: Pick<Tenants, "userNames">;
  readonly #tenant: Tenant;
  readonly #filter: ChangeFilter;
  readonly #whole: number;
  #place: LogPlace;

  constructor(tenants: Pick<Tenants, "userNames">, tenant: Tenant, filter: ChangeFilter, from: ReadPlace) {
    this.#tenants = tenants;
    this.#tenant = tenant;
    this.#filter = filter;
    this.#place = { next: from.next, at: from.at };
    this.#whole = from.whole;
  }

  /** Position after the last change read. */
  get place(): ReadPlace {
    return { ...this.#place, whole: this.#whole };
  }

  /** Resolves once there may be more to read, or a signal aborts. */
  moved(signals: readonly AbortSignal[]): Promise<void> {
    return this.#tenant.workspace.changes.moved(this.#place, signals);
  }

  /** Throws LogGap if changes after the position are trimmed. */
  check(): Promise<void> {
    return this.#tenant.workspace.changes.check(this.#place);
  }

  /**
   * Yields the changes up to the current end of the log that the caller may see. Throws LogGap, and the
   * reason of an aborted `signal`, even if nothing is visible.
   */
  async *read(signal: AbortSignal): AsyncGenerator<ChangeView> {
    const { changes, incarnation, sharing } = this.#tenant.workspace;
    const yielder = new EventLoopYielder(incarnation);
    let { revision } = sharing;
    let pages = changes.pages(this.#place);
    for (let restarts = 0; restarts < MAX_RESTARTS; ) {
      // pages were filtered with grants that have changed since; names that are now hidden must not be
      // returned
      if (sharing.revision !== revision) {
        restarts++;
        ({ revision } = sharing);
        pages = changes.pages(this.#place);
      }
      const page = await pages.next();
      if (page.done) return;
      // permissions are looked up again for each page
      const spaces = visibleSpaces(this.#tenant);
      const nameOf = await this.#namesOf(page.value);
      for (const [record, number, logged] of changesIn(page.value)) {
        signal.throwIfAborted();
        await yielder.yieldIfDue();
        if (sharing.revision !== revision) break;
        if (isGapFor(spaces, logged) && number >= this.#whole)
          throw new LogGap("a change after it was removed from the log");
        this.#place = { next: number + 1, at: record.at };
        const change = visibleChange(logged, spaces, this.#filter);
        if (change) yield this.#viewOf(change, record, nameOf);
      }
    }
  }

  #viewOf(
    { kind, type, at, from, size, hash, version }: TreeChange,
    record: LoggedRecord,
    nameOf: (author: Author) => string | undefined,
  ): ChangeView {
    const { uris } = this.#tenant.workspace;
    const uriOf = (path: string) => uris.format(path.split("/"));
    const user = record.by === undefined ? undefined : nameOf(record.by);
    return {
      kind,
      uri: uriOf(at.path),
      ...(from && { previousUri: uriOf(from.path) }),
      isDir: type === "directory",
      time: new Date(record.at).toISOString(),
      ...(size !== undefined && { size }),
      ...(hash !== undefined && { etag: hash }),
      ...(version !== undefined && { version }),
      ...(user !== undefined && { user }),
    };
  }

  /** Returns a lookup of user names; removed users have none. */
  async #namesOf(records: readonly LoggedRecord[]): Promise<(author: Author) => string | undefined> {
    const wanted = new Set<UserIncarnation>();
    for (const { by } of records) if (typeof by === "number") wanted.add(by);
    const { incarnation } = this.#tenant.workspace;
    const names = wanted.size > 0 ? await this.#tenants.userNames(incarnation, wanted) : undefined;
    return (by) => (typeof by === "number" ? names?.get(by) : by);
  }
}

/** Each change of the records, with its record and number. */
function* changesIn(
  records: readonly LoggedRecord[],
): Generator<readonly [LoggedRecord, number, LoggedRecord["changes"][number]]> {
  for (const record of records)
    for (const [i, logged] of record.changes.entries()) yield [record, record.first + i, logged];
}

/**
 * Parses the filter of a request. Throws INVALID_ARGUMENT for unknown kinds, NOT_FOUND for a path that the
 * caller may not see.
 */
export function changeFilter(
  { workspace, owner }: Tenant,
  { uri, kinds }: { readonly uri?: string | undefined; readonly kinds: readonly string[] },
): ChangeFilter {
  for (const kind of kinds)
    if (!isTreeChange(kind)) throw invalidArgument("kinds", `must be one of ${TREE_CHANGES.join(", ")}`);
  const wanted = kinds.filter(isTreeChange);
  const path = uri === undefined || uri === "" ? [] : workspace.uris.parse(uri);
  if (uri !== undefined) checkVisible(owner, path, uri);
  return {
    path: path.length === 0 ? undefined : path.join("/"),
    kinds: wanted.length === 0 ? undefined : new Set(wanted),
  };
}
