import type { KvSnapshot } from "../../storage/kv.ts";
import { type Listed, type Rendered, renderedString } from "../../workspace/tree/listed.ts";
import type { Owner } from "../../workspace/tree/locate.ts";
import { renderedAt } from "../../workspace/tree/rendered.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * Number of files whose small contents are read together: at most 8 MiB, and as much for the batch read
 * ahead.
 */
const AT_ONCE = 512;

/** A file with its content from the snapshot, already loaded if small. */
export interface OpenFile {
  readonly listed: Listed;
  readonly content: string | (() => Uint8Array | Promise<Uint8Array>);
  /** Set for a file that is too large to be read as a whole; `content` must then not be called. */
  readonly parts: ((end?: number) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>) | undefined;
}

/**
 * Maximum bytes of a file that is searched as a whole; larger ones are searched in parts, because decoding
 * blocks the main thread.
 */
const MAX_WHOLE_BYTES = 1024 * 1024;

export function openRendered(file: Rendered): OpenFile {
  const { listed } = file;
  return {
    listed,
    content: async () => Buffer.from(await renderedString(file)),
    parts: listed.size > MAX_WHOLE_BYTES ? (end = listed.size) => file.bytes(0, end) : undefined,
  };
}

/** Reads files in order; reads the next ones while the caller processes the loaded ones. */
export async function* openFiles(
  workspace: Workspace,
  snapshot: KvSnapshot,
  owner: Owner,
  runs: AsyncIterable<readonly Listed[]>,
): AsyncGenerator<readonly OpenFile[]> {
  let opening: Promise<readonly OpenFile[]> | undefined;
  for await (const files of pieces(runs)) {
    const next = open(files);
    // an error is reported when awaited, if the caller is still reading
    next.catch(() => undefined);
    if (opening) yield await opening;
    opening = next;
  }
  if (opening) yield await opening;

  async function open(files: readonly Listed[]): Promise<readonly OpenFile[]> {
    const { contents } = workspace;
    const stored = files.flatMap(({ entry }) => entry ?? []);
    const small = (await contents.inlineTextsOf(stored, snapshot))[Symbol.iterator]();
    return files.map((listed) => {
      const { entry } = listed;
      const content = entry
        ? (small.next().value ?? (() => contents.read(entry, snapshot)))
        : () => rendered(listed);
      return { listed, content, parts: listed.size > MAX_WHOLE_BYTES ? partsOf(listed) : undefined };
    });
  }

  function partsOf({ path, size, entry }: Listed): OpenFile["parts"] {
    if (entry) return (end = size) => workspace.contents.stream(entry, 0, end, snapshot);
    return (end = size) => renderedAt(workspace, owner, path, snapshot)?.bytes(0, end) ?? [];
  }

  async function rendered({ path }: Listed): Promise<Uint8Array> {
    const file = renderedAt(workspace, owner, path, snapshot);
    return Buffer.from(file ? await renderedString(file) : "");
  }
}

async function* pieces(runs: AsyncIterable<readonly Listed[]>): AsyncGenerator<readonly Listed[]> {
  let piece: Listed[] = [];
  for await (const run of runs) {
    for (const file of run) {
      piece.push(file);
      if (piece.length < AT_ONCE) continue;
      yield piece;
      piece = [];
    }
  }
  if (piece.length > 0) yield piece;
}
