import type { Change, WatchChangesResponse } from "../../../gen/ctxdb/v1/change_pb.ts";
import { clientLeft } from "../call.ts";

/** Maximum number of resources watched by one stream. */
export const MAX_WATCHED = 100;
/** Maximum length of a watched URI in characters; it is in memory while the stream is open. */
export const MAX_WATCHED_LENGTH = 4096;
/** Delay in ms to batch changes: an import of a thousand files is one notice. */
const GATHER_MS = 200;
const LISTED = /^[^/]+$/;
const CHANGES_OF_LISTS: ReadonlySet<string> = new Set(["added", "moved", "removed", "described"]);
/** Represents the list of resources among the subjects of notices. */
const LIST = "";

/** The changes that a client subscribes to. */
export interface Wanted {
  /** Whether to notify when the result of `resources/list` changes. */
  readonly isList: boolean;
  /** Resource URIs as written by the client. */
  readonly uris: readonly string[];
}

export interface Notice {
  readonly method: string;
  readonly params?: { readonly uri: string };
}

/**
 * Changes to report to a client. Each subject is stored once, however often it changes, so that a slow client
 * cannot fill a queue.
 */
export class ChangeNotices {
  readonly #wanted: Wanted;
  /** URI prefix of the listed entries, such as `ctx://resources/`. */
  readonly #listed: string;
  readonly #pending = new Set<string>();
  readonly #begun: Promise<void>;
  #begin: () => void = () => undefined;
  #fail: (failure: unknown) => void = () => undefined;
  #hasBeat = false;
  #isEnded = false;
  #wake: () => void = () => undefined;

  /** `root`: root URI of the client's paths, such as `ctx://`. */
  constructor(wanted: Wanted, root: string) {
    this.#wanted = wanted;
    this.#listed = `${root}resources/`;
    this.#begun = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.#fail = reject;
    });
    this.#begun.catch(() => undefined);
  }

  /** Throws once nobody reads the notices, which ends the feed that they come from. */
  take({ event, change }: WatchChangesResponse): void {
    if (this.#isEnded) throw clientLeft();
    if (event === "start") this.#begin();
    if (event === "heartbeat") this.#hasBeat = true;
    for (const uri of change ? [change.uri, change.previousUri ?? change.uri] : []) {
      if (change && this.#changesList(change, uri)) this.#pending.add(LIST);
      for (const watched of this.#wanted.uris) if (concerns(uri, watched)) this.#pending.add(watched);
    }
    if (this.#hasBeat || this.#pending.size > 0) this.#wake();
  }

  /** Ends the notices; `failure`: the reason, if known. */
  end(failure?: unknown): void {
    this.#isEnded = true;
    this.#fail(failure ?? new Error("the stream of changes ended before its first event"));
    this.#wake();
  }

  /** Yields notices in batches until the end; an empty batch only keeps the connection alive. */
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

/**
 * Whether a change affects a watched resource: the resource itself, an entry of the watched folder, or a
 * folder above.
 */
function concerns(uri: string, watched: string): boolean {
  const own = watched.endsWith("/") ? watched.slice(0, -1) : watched;
  return uri === own || uri.slice(0, uri.lastIndexOf("/")) === own || own.startsWith(`${uri}/`);
}
