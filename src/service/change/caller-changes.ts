import type { Caller } from "../../domain/caller.ts";
import { failedPrecondition, invalidArgument, type ServiceError } from "../../domain/errors.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import { sequenceKey } from "../../storage/key-numbers.ts";
import { LogGap } from "../../workspace/changes/change-log.ts";
import { ChangeReader, type ChangeView, changeFilter, type ReadPlace } from "../change-reader.ts";
import type { Cursors, ListSubject } from "../cursors.ts";
import type { Tenants } from "../tenants.ts";

/** Request fields shared by ListChanges and WatchChanges. */
export interface ChangesInput {
  readonly uri?: string | undefined;
  readonly kinds: readonly string[];
  readonly begin?: string | undefined;
  readonly cursor?: string | undefined;
}

/** A change and the cursor after it. */
interface ReadChange {
  readonly change: ChangeView;
  readonly cursor: string;
}

interface Deps {
  readonly tenants: Tenants;
  readonly cursors: Cursors;
}

/** Lifetime of a cursor. It is long, because the log is limited by bytes, not by time. */
const CURSOR_LIFE_DAYS = 30;
/** Width of each number in a cursor's position; it is fixed, so that the cursor's length reveals nothing. */
const FIELD = sequenceKey(0).length;
const FIELDS = 3;

const DEFAULT_BEGIN = { watch: "now", list: "oldest" } as const;

/** Reads the changes of an account for one caller, who continues with a cursor. */
export class CallerChanges {
  readonly incarnation: WorkspaceId;
  readonly #cursors: Cursors;
  readonly #reader: ChangeReader;
  readonly #subject: ListSubject;

  private constructor(cursors: Cursors, reader: ChangeReader, subject: ListSubject) {
    this.incarnation = subject.incarnation;
    this.#cursors = cursors;
    this.#reader = reader;
    this.#subject = subject;
  }

  /** Throws INVALID_ARGUMENT, and FAILED_PRECONDITION if the changes after the cursor are trimmed. */
  static async open(
    { tenants, cursors }: Deps,
    caller: Caller,
    input: ChangesInput,
    mode: keyof typeof DEFAULT_BEGIN,
  ): Promise<CallerChanges> {
    // a reader of an account that was never written waits for its first change
    const tenant = await tenants.openOrCreate(caller);
    const { incarnation, changes } = tenant.workspace;
    const filter = changeFilter(tenant, input);
    const subject: ListSubject = {
      operation: "changes",
      caller,
      incarnation,
      args: [],
      lifeHours: CURSOR_LIFE_DAYS * 24,
    };
    const opened = cursors.open(subject, input.cursor);
    const { begin = DEFAULT_BEGIN[mode] } = input;
    if (begin !== "now" && begin !== "oldest") throw invalidArgument("begin", 'must be "now" or "oldest"');
    const { end, oldest } = changes;
    const from =
      opened === undefined ? { ...(begin === "now" ? end : oldest), whole: end.next } : placeOf(opened);
    const reader = new ChangeReader(tenants, tenant, filter, from);
    if (opened !== undefined) await orGone(() => reader.check());
    return new CallerChanges(cursors, reader, subject);
  }

  /** Cursor after the last change read. */
  get cursor(): string {
    const { next, at, whole } = this.#reader.place;
    return this.#cursors.seal(this.#subject, [next, at, whole].map(sequenceKey).join(""));
  }

  /** Resolves once there may be more to read, or a signal aborts. */
  moved(signals: readonly AbortSignal[]): Promise<void> {
    return this.#reader.moved(signals);
  }

  /** Yields the changes up to the current end of the log that the caller may see. */
  async *read(signal: AbortSignal): AsyncGenerator<ReadChange> {
    const changes = this.#reader.read(signal);
    for (;;) {
      const read = await orGone(() => changes.next());
      if (read.done) return;
      yield { change: read.value, cursor: this.cursor };
    }
  }
}

async function orGone<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof LogGap ? gone(error.message) : error;
  }
}

const gone = (why: string): ServiceError =>
  failedPrecondition("cursor", `${why}: list the tree again, then start without a cursor`);

function placeOf(opened: string): ReadPlace {
  const [next = 0, at = 0, whole = 0] = Array.from({ length: FIELDS }, (_, i) =>
    Number.parseInt(opened.slice(i * FIELD, (i + 1) * FIELD), 36),
  );
  return { next, at, whole };
}
