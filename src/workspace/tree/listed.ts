import { type Entry, NO_NODE, type NodeId } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import { ENTRIES } from "../records.ts";
import type { SessionDirectory } from "../sessions/session-directories.ts";
import type { Workspace } from "../workspace.ts";
import { kindIn } from "./entry-kind.ts";
import { type Located, locatedAt } from "./locate.ts";

/**
 * An item of a listing. Rendered files (layers, metadata, the content of sessions) have no entry; their times
 * are those of their source.
 */
export interface Listed {
  readonly path: Path;
  readonly name: string;
  readonly isDirectory: boolean;
  readonly size: number;
  /** Unix time in ms. */
  readonly created: number;
  readonly modified: number;
  readonly node: NodeId;
  readonly entry?: Entry | undefined;
  readonly session?: SessionDirectory | undefined;
}

/** Whether the item is a folder of sections generated from a document. */
export const isSections = ({ isDirectory, entry }: Pick<Listed, "isDirectory" | "entry">): boolean =>
  isDirectory && entry?.source !== undefined;

/** An entry of a directory, parsed on demand, because most walks need only its name. */
export class ListedEntry implements Listed {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly #workspace: Workspace;
  readonly #directory: Located;
  readonly #value: string;
  #entry: Entry | undefined;
  #listed: Listed | undefined;

  /** `value`: the entry's record. */
  constructor(workspace: Workspace, directory: Located, name: string, value: string) {
    this.name = name;
    this.isDirectory = kindIn(value) === "directory";
    this.#workspace = workspace;
    this.#directory = directory;
    this.#value = value;
  }

  get entry(): Entry {
    this.#entry ??= ENTRIES.parse(this.#value);
    return this.#entry;
  }

  get path(): Path {
    return [...this.#directory.path, this.name];
  }

  get size(): number {
    return this.entry.size;
  }

  // only sessions have times that differ from their entries
  get created(): number {
    return this.entry.session ? this.#all.created : this.entry.created;
  }

  get modified(): number {
    return this.entry.session ? this.#all.modified : this.entry.modified;
  }

  get node(): NodeId {
    return this.entry.node;
  }

  get session(): SessionDirectory | undefined {
    return this.#all.session;
  }

  get #all(): Listed {
    this.#listed ??= listedOf(this.#workspace, locatedAt(this.path, this.entry, this.#directory.node));
    return this.#listed;
  }
}

/** A file that is rendered from records on demand. */
export interface Rendered {
  readonly listed: Listed;
  /** The bytes `start` to `end` (exclusive); all by default. */
  bytes(start?: number, end?: number): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export function listedOf(workspace: Workspace, located: Located): Listed {
  const { path, kind, node, entry, session } = located;
  const { created, modified } = timesOf(workspace, located);
  const name = path.at(-1) ?? "";
  return {
    path,
    name,
    isDirectory: kind === "directory",
    size: entry?.size ?? 0,
    created,
    modified,
    node,
    entry,
    session,
  };
}

function timesOf(
  { createdAt, kv, sessions }: Workspace,
  { entry, session }: Located,
): Pick<Listed, "created" | "modified"> {
  if (session?.kind === "archive") {
    const created = sessions.archiveRecord(kv, session.session, session.archive)?.created ?? createdAt;
    return { created, modified: created };
  }
  const record = session && sessions.record(kv, session.session);
  if (record) return { created: record.created, modified: record.updated };
  return { created: entry?.created ?? createdAt, modified: entry?.modified ?? createdAt };
}

/** A rendered file of a directory: it has no node and takes its times from the directory. */
export function renderedFrom(workspace: Workspace, directory: Located, name: string, text: string): Rendered {
  const { entry: _, session: __, ...like } = listedOf(workspace, directory);
  const bytes = Buffer.from(text);
  return {
    listed: {
      ...like,
      path: [...directory.path, name],
      name,
      isDirectory: false,
      size: bytes.byteLength,
      node: NO_NODE,
    },
    bytes: (start, end) => [bytes.subarray(start, end)],
  };
}

/** Reads a whole rendered file. */
export async function renderedString(file: Rendered): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of file.bytes()) parts.push(part);
  return Buffer.concat(parts).toString();
}
