import { type Change, isAtOrBelow } from "../../api/changes.ts";
import { codeOf, messageOf } from "../../api/client.ts";
import { type Entry, listEntries, PAGE_ENTRIES } from "../../api/filesystem.ts";
import { nameOf, parentOf, ROOT, segmentsOf } from "../../text/uri.ts";

/** An open folder in the tree. */
interface Folder {
  readonly entries: readonly Entry[];
  /** A row for each entry, collapsed; created once, because a folder may have very many. */
  readonly lines: readonly NodeRow[];
  /** Cursor to continue the list; undefined if it is complete. */
  readonly cursor?: string;
  readonly state: "loading" | "ready" | "failed";
  readonly error?: string;
}

/** Row of a file or folder. */
export interface NodeRow {
  readonly kind: "node";
  readonly uri: string;
  readonly name: string;
  readonly depth: number;
  readonly isDir: boolean;
  /** Whether the server derived it from a file, such as the sections of a document. */
  readonly isDerived: boolean;
  readonly open: boolean;
}

/** A row of the tree. */
export type Row =
  | NodeRow
  | { readonly kind: "more" | "loading" | "empty"; readonly uri: string; readonly depth: number }
  | { readonly kind: "failed"; readonly uri: string; readonly depth: number; readonly error: string };

/** Maximum number of pages reloaded at once when the tree changes; later pages are loaded on scrolling. */
const MAX_PAGES_AGAIN = 5;
/** Maximum number of changes applied to a long list one by one. */
const MAX_PATCHED = 100;
/** Kinds of changes after which a folder has different entries. */
const RESHAPING: ReadonlySet<string> = new Set(["added", "moved", "removed"]);

/** The expanded part of the tree; folders are loaded page by page when expanded or scrolled. */
export class TreeModel {
  readonly #folders = new Map<string, Folder>();
  readonly #open = new Set<string>([ROOT]);
  /** The latest pending request per folder; responses to earlier ones may be outdated. */
  readonly #asked = new Map<string, symbol>();
  readonly #listeners = new Set<() => void>();
  #rows: readonly Row[] | undefined;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The rows from top to bottom; the same array until something changes. */
  readonly rows = (): readonly Row[] => {
    this.#rows ??= this.#flat();
    return this.#rows;
  };

  open(uri: string): void {
    this.#open.add(uri);
    if (this.#folders.get(uri)?.state !== "ready") void this.#load(uri, undefined, []);
    this.#changed();
  }

  close(uri: string): void {
    this.#open.delete(uri);
    this.#changed();
  }

  /** Expands all folders above a node. */
  reveal(uri: string): void {
    let above = ROOT;
    if (!this.#folders.has(ROOT)) this.open(ROOT);
    for (const segment of segmentsOf(uri).slice(0, -1)) {
      above = above === ROOT ? ROOT + segment : `${above}/${segment}`;
      if (!this.#open.has(above) || !this.#folders.has(above)) this.open(above);
    }
  }

  /** Loads the next page of a folder. */
  more(uri: string): void {
    const folder = this.#folders.get(uri);
    if (folder?.state === "ready" && folder.cursor !== undefined && !this.#asked.has(uri))
      void this.#load(uri, folder.cursor, folder.entries);
  }

  /** Reloads expanded folders and drops all others. */
  async refresh(): Promise<void> {
    for (const uri of this.#folders.keys()) if (!this.#open.has(uri)) this.#folders.delete(uri);
    await Promise.all([...this.#folders.keys()].map((uri) => this.#reload(uri)));
  }

  /** Applies changes made by any user; `undefined` means that anything may have changed. */
  readonly follow = (changes: readonly Change[] | undefined): void => {
    if (changes === undefined) return void this.refresh();
    const moved = changes.filter(({ kind }) => RESHAPING.has(kind));
    for (const [uri, folder] of this.#folders) {
      const own = moved.filter((change) => reshapes(change, uri));
      if (own.length === 0) continue;
      if (!this.#open.has(uri)) this.#folders.delete(uri);
      // reloading some of very many pages would lose the reader's scroll position
      else if (folder.entries.length > MAX_PAGES_AGAIN * PAGE_ENTRIES && own.length <= MAX_PATCHED)
        this.#patch(uri, folder, own);
      else void this.#reload(uri);
    }
  };

  /** Adds and removes single entries of a long list. */
  #patch(uri: string, folder: Folder, changes: readonly Change[]): void {
    const entries = [...folder.entries];
    const lines = [...folder.lines];
    const depth = segmentsOf(uri).length;
    const remove = (at: string) => {
      const index = placeOf(entries, at);
      if (entries[index]?.uri !== at) return;
      entries.splice(index, 1);
      lines.splice(index, 1);
    };
    for (const { kind, uri: at, previousUri, isDir, time } of changes) {
      if (previousUri !== undefined) remove(previousUri);
      if (kind === "removed") remove(at);
      const index = placeOf(entries, at);
      const isKnown = entries[index]?.uri === at;
      // entries after the last loaded page will arrive with their own page
      const isBehind = index === entries.length && folder.cursor !== undefined;
      if (kind === "removed" || parentOf(at) !== uri || isKnown || isBehind) continue;
      const entry = { uri: at, isDir, size: 0, modTime: time };
      entries.splice(index, 0, entry);
      lines.splice(index, 0, lineOf(entry, depth));
    }
    this.#folders.set(uri, { ...folder, entries, lines });
    this.#changed();
  }

  async #reload(uri: string): Promise<void> {
    const pages = Math.min(
      MAX_PAGES_AGAIN,
      Math.max(1, Math.ceil((this.#folders.get(uri)?.entries.length ?? 0) / PAGE_ENTRIES)),
    );
    const ended = this.#ask(uri);
    try {
      let entries: readonly Entry[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < pages && (page === 0 || cursor !== undefined); page++) {
        const next = await listEntries(uri, cursor);
        entries = entries.concat(next.entries);
        cursor = next.nextCursor;
      }
      if (ended()) this.#set(uri, { entries, cursor, state: "ready" });
    } catch (thrown) {
      if (!ended()) return;
      if (codeOf(thrown) !== "NOT_FOUND") return this.#fail(uri, thrown);
      this.#folders.delete(uri);
      this.#open.delete(uri);
      this.#changed();
    }
  }

  async #load(uri: string, cursor: string | undefined, before: readonly Entry[]): Promise<void> {
    const ended = this.#ask(uri);
    this.#set(uri, { entries: before, cursor, state: "loading" });
    try {
      const { entries, nextCursor } = await listEntries(uri, cursor);
      if (!ended()) return;
      // changes may have arrived in the meantime
      const known = this.#folders.get(uri)?.entries ?? before;
      this.#set(uri, { entries: known.concat(entries), cursor: nextCursor, state: "ready" });
    } catch (thrown) {
      if (ended()) this.#fail(uri, thrown);
    }
  }

  /**
   * Registers a request for a folder. The returned function ends it and reports whether it is still the
   * latest.
   */
  #ask(uri: string): () => boolean {
    const question = Symbol(uri);
    this.#asked.set(uri, question);
    return () => this.#asked.get(uri) === question && this.#asked.delete(uri);
  }

  /** Shows why a folder cannot be listed, below its known entries. */
  #fail(uri: string, thrown: unknown): void {
    const { entries = [], cursor } = this.#folders.get(uri) ?? {};
    this.#set(uri, { entries, cursor, state: "failed", error: messageOf(thrown) });
  }

  #set(uri: string, { entries, ...rest }: Omit<Folder, "lines">): void {
    const before = this.#folders.get(uri);
    const isLonger = before !== undefined && before.entries[0] === entries[0];
    const known = isLonger ? before.lines.slice(0, entries.length) : [];
    const depth = segmentsOf(uri).length;
    const lines = known.concat(entries.slice(known.length).map((entry) => lineOf(entry, depth)));
    this.#folders.set(uri, { entries, lines, ...rest });
    this.#changed();
  }

  #changed(): void {
    this.#rows = undefined;
    for (const listener of this.#listeners) listener();
  }

  #flat(): Row[] {
    const rows: Row[] = [];
    const add = (uri: string, depth: number): void => {
      const folder = this.#folders.get(uri);
      for (const line of folder?.lines ?? []) {
        if (!line.isDir || !this.#open.has(line.uri)) rows.push(line);
        else {
          rows.push({ ...line, open: true });
          add(line.uri, depth + 1);
        }
      }
      if (folder === undefined || folder.state === "loading") rows.push({ kind: "loading", uri, depth });
      else if (folder.state === "failed")
        rows.push({ kind: "failed", uri, depth, error: folder.error ?? "" });
      else if (folder.cursor !== undefined) rows.push({ kind: "more", uri, depth });
      else if (folder.entries.length === 0) rows.push({ kind: "empty", uri, depth });
    };
    add(ROOT, 0);
    return rows;
  }
}

/** Whether a change may have affected the content of a folder: inside it, or in one of its ancestors. */
const reshapes = ({ uri, previousUri = uri, isDir }: Change, folder: string): boolean =>
  [uri, previousUri].some((at) => parentOf(at) === folder || (isDir && isAtOrBelow(folder, at)));

/** Returns the position of an entry in a list sorted by name, or the one it would have. */
function placeOf(entries: readonly Entry[], uri: string): number {
  let low = 0;
  for (let high = entries.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.uri ?? "") < uri) low = middle + 1;
    else high = middle;
  }
  return low;
}

const lineOf = ({ uri, isDir, source }: Entry, depth: number): NodeRow => ({
  kind: "node",
  uri,
  name: nameOf(uri),
  depth,
  isDir,
  isDerived: source !== undefined,
  open: false,
});

/** The index of a node's row. */
export const rowOf = (rows: readonly Row[], uri: string): number =>
  rows.findIndex((row) => row.kind === "node" && row.uri === uri);
export const parentRow = (rows: readonly Row[], uri: string): number => rowOf(rows, parentOf(uri));
