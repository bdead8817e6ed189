import { EventLoopYielder } from "../../base/event-loop.ts";
import type { Caller } from "../../domain/caller.ts";
import { isTreeChange, TREE_CHANGES, type TreeChange, type TreeChangeKind } from "../../domain/change.ts";
import { failedPrecondition, invalidArgument, type ServiceError } from "../../domain/errors.ts";
import type { UserIncarnation, WorkspaceId } from "../../domain/ids.ts";
import type { Author } from "../../domain/node.ts";
import { checkVisible } from "../../domain/scope.ts";
import { sequenceKey } from "../../storage/key-numbers.ts";
import { LogGap, type LoggedRecord, type LogPlace } from "../../workspace/changes/change-log.ts";
import type { Cursors, ListSubject } from "../cursors.ts";
import type { Tenant, Tenants } from "../tenants.ts";
import { type ChangeFilter, isGapFor, ownSpaces, visibleChange } from "./visible-changes.ts";

/** Fields that both operations share. */
export interface ChangesInput {
  readonly uri?: string | undefined;
  readonly kinds: readonly string[];
  readonly begin?: string | undefined;
  readonly cursor?: string | undefined;
}

/** A change as callers see it. */
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

/** A change and the cursor after it. */
export interface ReadChange {
  readonly change: ChangeView;
  readonly cursor: string;
}

interface Deps {
  readonly tenants: Tenants;
  readonly cursors: Cursors;
}

/** A cursor is of use as long as the changes after it are kept; the log is kept by bytes, not by time. */
const CURSOR_LIFE_DAYS = 30;
/** Width of the fields of a cursor's place, so that its length tells nothing. */
const FIELD = sequenceKey(0).length;
const FIELDS = 3;

const DEFAULT_BEGIN = { watch: "now", list: "oldest" } as const;

/** One reader of the changes of an account: where it is, and what it may see. */
export class ChangeReader {
  readonly #deps: Deps;
  readonly #tenant: Tenant;
  readonly #filter: ChangeFilter;
  readonly #subject: ListSubject;
  #place: LogPlace;
  /** Changes before this number may have been taken out: the reader has asked for those that are left. */
  readonly #whole: number;

  private constructor(
    deps: Deps,
    tenant: Tenant,
    filter: ChangeFilter,
    subject: ListSubject,
    [place, whole]: readonly [LogPlace, number],
  ) {
    this.#deps = deps;
    this.#tenant = tenant;
    this.#filter = filter;
    this.#subject = subject;
    this.#place = place;
    this.#whole = whole;
  }

  /** Throws for arguments that cannot be met, and for a cursor whose changes are gone. */
  static async open(
    deps: Deps,
    caller: Caller,
    input: ChangesInput,
    mode: keyof typeof DEFAULT_BEGIN,
  ): Promise<ChangeReader> {
    // a reader of an account that is not written yet waits for its first change
    const tenant = await deps.tenants.writing(caller);
    const { workspace } = tenant;
    const filter = filterOf(tenant, caller, input);
    const subject: ListSubject = {
      operation: "changes",
      caller,
      incarnation: workspace.incarnation,
      args: [],
      lifeHours: CURSOR_LIFE_DAYS * 24,
    };
    const opened = deps.cursors.open(subject, input.cursor);
    const { begin = DEFAULT_BEGIN[mode] } = input;
    if (begin !== "now" && begin !== "oldest") throw invalidArgument("begin", 'must be "now" or "oldest"');
    const { end, oldest } = workspace.changes;
    const places =
      opened === undefined ? ([begin === "now" ? end : oldest, end.next] as const) : placesOf(opened);
    const reader = new ChangeReader(deps, tenant, filter, subject, places);
    if (opened !== undefined) await reader.#orGone(() => workspace.changes.check(places[0]));
    return reader;
  }

  get cursor(): string {
    const { next, at } = this.#place;
    return this.#deps.cursors.seal(this.#subject, [next, at, this.#whole].map(sequenceKey).join(""));
  }

  get incarnation(): WorkspaceId {
    return this.#tenant.workspace.incarnation;
  }

  /** Resolves once there may be more to read, or a signal aborts. */
  moved(signals: readonly AbortSignal[]): Promise<void> {
    return this.#tenant.workspace.changes.moved(this.#place, signals);
  }

  /** What the caller may see of the changes up to the present end of the log, one after the other. */
  async *read(): AsyncGenerator<ReadChange> {
    const { changes, incarnation } = this.#tenant.workspace;
    const yielder = new EventLoopYielder(incarnation);
    const pages = changes.pages(this.#place);
    for (;;) {
      const page = await this.#orGone(() => pages.next());
      if (page.done) return;
      // rights are looked up anew for each page
      const spaces = ownSpaces(this.#tenant);
      const nameOf = await this.#namesOf(page.value);
      for (const record of page.value) {
        for (const [i, logged] of record.changes.entries()) {
          if (isGapFor(spaces, logged) && record.first + i >= this.#whole)
            throw gone("what it names was forgotten");
          this.#place = { next: record.first + i + 1, at: record.at };
          const change = visibleChange(logged, spaces, this.#filter);
          if (change) yield { change: this.#viewOf(change, record, nameOf), cursor: this.cursor };
        }
        await yielder.yieldIfDue();
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

  /** Removed users have no name. */
  async #namesOf(records: readonly LoggedRecord[]): Promise<(author: Author) => string | undefined> {
    const wanted = new Set<UserIncarnation>();
    for (const { by } of records) if (typeof by === "number") wanted.add(by);
    const { incarnation } = this.#tenant.workspace;
    const names = wanted.size > 0 ? await this.#deps.tenants.userNames(incarnation, wanted) : undefined;
    return (by) => (typeof by === "number" ? names?.get(by) : by);
  }

  async #orGone<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof LogGap ? gone(error.message) : error;
    }
  }
}

const gone = (why: string): ServiceError =>
  failedPrecondition("cursor", `${why}: list the tree again, and begin without a cursor`);

function placesOf(opened: string): readonly [LogPlace, number] {
  const [next = 0, at = 0, whole = 0] = Array.from({ length: FIELDS }, (_, i) =>
    Number.parseInt(opened.slice(i * FIELD, (i + 1) * FIELD), 36),
  );
  return [{ next, at }, whole];
}

function filterOf({ workspace }: Tenant, caller: Caller, { uri, kinds }: ChangesInput): ChangeFilter {
  for (const kind of kinds)
    if (!isTreeChange(kind)) throw invalidArgument("kinds", `must be one of ${TREE_CHANGES.join(", ")}`);
  const wanted = kinds.filter(isTreeChange);
  const path = uri === undefined || uri === "" ? [] : workspace.uris.parse(uri);
  if (uri !== undefined) checkVisible(caller, path, uri);
  return {
    path: path.length === 0 ? undefined : path.join("/"),
    kinds: wanted.length === 0 ? undefined : new Set(wanted),
  };
}
