import type { Change, WatchChangesResponse } from "../../../gen/ctxdb/v1/change_pb.ts";

/** Limit of the resources that one stream watches. */
export const MAX_WATCHED = 100;
/** Characters of their URIs, which are held while the stream is open. */
export const MAX_WATCHED_LENGTH = 4096;
/** Ms in which changes are gathered: an import of a thousand files is one notice, not a thousand. */
const GATHER_MS = 200;
const LISTED = /^[^/]+$/;
const CHANGES_OF_LISTS: ReadonlySet<string> = new Set(["added", "moved", "removed", "described"]);
/** Stands for the list of resources among the subjects of notices. */
const LIST = "";

/** What a client wants to hear of. */
export interface Wanted {
  /** Whether `resources/list` would answer something else. */
  readonly isList: boolean;
  /** URIs of resources, as the client wrote them. */
  readonly uris: readonly string[];
}

export interface Notice {
  readonly method: string;
  readonly params?: { readonly uri: string };
}

/**
 * The changes that a client is to hear of, until it takes them: each subject is kept once, however often it
 * changes, so that a client that takes nothing holds no queue.
 */
export class ChangeNotices {
  readonly #wanted: Wanted;
  /** `ctx://resources/` */
  readonly #listed: string;
  readonly #pending = new Set<string>();
  readonly #begun: Promise<void>;
  #begin: () => void = () => undefined;
  #fail: (failure: unknown) => void = () => undefined;
  #hasBeat = false;
  #isEnded = false;
  #wake: () => void = () => undefined;

  /** `root`: `ctx://`. */
  constructor(wanted: Wanted, root: string) {
    this.#wanted = wanted;
    this.#listed = `${root}resources/`;
    this.#begun = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.#fail = reject;
    });
    this.#begun.catch(() => undefined);
  }

  take({ event, change }: WatchChangesResponse): void {
    if (event === "start") this.#begin();
    if (event === "heartbeat") this.#hasBeat = true;
    for (const uri of change ? [change.uri, change.previousUri ?? change.uri] : []) {
      if (change && this.#changesList(change, uri)) this.#pending.add(LIST);
      for (const watched of this.#wanted.uris) if (concerns(uri, watched)) this.#pending.add(watched);
    }
    if (this.#hasBeat || this.#pending.size > 0) this.#wake();
  }

  /** No change follows; `failure`: why, if that is known. */
  end(failure?: unknown): void {
    this.#isEnded = true;
    this.#fail(failure ?? new Error("the changes ended before they began"));
    this.#wake();
  }

  /** Notices that belong together, until the end; none where only the connection is to be kept alive. */
  async *batches(): AsyncGenerator<Notice[]> {
    await this.#begun;
    yield [];
    while (!this.#isEnded) {
      if (!this.#hasBeat && this.#pending.size === 0)
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      if (this.#pending.size > 0) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      if (this.#isEnded) return;
      const subjects = [...this.#pending];
      this.#pending.clear();
      this.#hasBeat = false;
      yield subjects.map(noticeOf);
    }
  }

  #changesList({ kind }: Change, uri: string): boolean {
    if (!this.#wanted.isList || !CHANGES_OF_LISTS.has(kind)) return false;
    return uri.startsWith(this.#listed) && LISTED.test(uri.slice(this.#listed.length));
  }
}

const noticeOf = (subject: string): Notice =>
  subject === LIST
    ? { method: "notifications/resources/list_changed" }
    : { method: "notifications/resources/updated", params: { uri: subject } };

/** Whether a change shows in a resource: of itself, an entry of the folder that it is, or a folder above. */
function concerns(uri: string, watched: string): boolean {
  const own = watched.endsWith("/") ? watched.slice(0, -1) : watched;
  return uri === own || uri.slice(0, uri.lastIndexOf("/")) === own || own.startsWith(`${uri}/`);
}
