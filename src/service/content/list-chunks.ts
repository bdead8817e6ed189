import { EventLoopYielder } from "../../base/event-loop.ts";
import { type Chunk, INSTANT_SPACE } from "../../domain/chunk.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { ChunkRange, Entry } from "../../domain/node.ts";
import { checkVisible } from "../../domain/scope.ts";
import { textSteps } from "../../domain/text/decode.ts";
import { decodeChunk } from "../../index/segments/record.ts";
import { spacesWithVectors } from "../../index/spaces.ts";
import { layerOf } from "../../workspace/tree/layers.ts";
import { mustLocate } from "../../workspace/tree/locate.ts";
import { renderedAt } from "../../workspace/tree/rendered.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Cursors } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
/** Maximum characters of a chunk in the list. */
const MAX_TEXT = 4096;
/** Maximum bytes of a file that is read to list its chunks. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
/** Memory per byte of a file: its content and its text. */
const READ_COST = 3;

interface ChunkView extends Pick<Chunk, "level" | "start" | "end"> {
  readonly index: number;
  readonly title: string;
  readonly text: string;
  /** Number of different terms. */
  readonly terms: number;
  readonly spaces: string[];
}

interface ListedChunks {
  chunks: ChunkView[];
  total: number;
  nextCursor?: string;
}

/** GET content/chunks: the indexed chunks of a file or directory, in the order of its text. */
export async function listChunks(
  deps: { readonly tenants: Tenants; readonly cursors: Cursors },
  call: ServiceCall,
  input: {
    readonly uri: string;
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
  },
): Promise<ListedChunks> {
  const limit = input.limit ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  const { workspace, owner } = await deps.tenants.openOrEmpty(call.caller);
  const path = workspace.uris.parse(input.uri);
  checkVisible(owner, path, input.uri);
  // files in a session are rendered from records and not indexed
  if (renderedAt(workspace, owner, path)) return { chunks: [], total: 0 };
  const { entry } = mustLocate(workspace.kv, workspace.keys, owner, path, workspace.uris.format(path));
  const { incarnation } = workspace;
  // a cursor belongs to one generation: a write in between restarts the list
  const args = [entry?.node ?? 0, entry?.generation ?? 0];
  const list = { operation: "chunks", caller: call.caller, incarnation, args };
  const from = Number(deps.cursors.open(list, input.cursor) ?? 0);
  // the chunks of a folder are those of its layers, which may be hidden from the caller
  if (!entry?.chunks || owner.access?.showsLayers(entry.node) === false) return { chunks: [], total: 0 };
  const to = Math.min(from + limit, entry.chunks.count);
  const chunks = await readChunks(workspace, call, entry, entry.chunks, { from, to });
  const page = { chunks, total: entry.chunks.count };
  return to < entry.chunks.count ? { ...page, nextCursor: deps.cursors.seal(list, String(to)) } : page;
}

async function readChunks(
  workspace: Workspace,
  call: ServiceCall,
  entry: Entry,
  { partition, first }: ChunkRange,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ChunkView[]> {
  const isRead = entry.kind === "file" && entry.size <= MAX_READ_BYTES;
  const lease = isRead ? call.reserve?.(READ_COST * entry.size) : undefined;
  try {
    const yielder = new EventLoopYielder(workspace.incarnation);
    const read = isRead ? await yielder.through(textSteps(await workspace.contents.read(entry))) : "";
    const content = read ?? "";
    const texts = [layerOf(workspace, entry, 0) ?? "", layerOf(workspace, entry, 1) ?? "", content] as const;
    const further = spacesWithVectors(workspace.kv, workspace.keys);
    const views: ChunkView[] = [];
    for (let index = from; index < to; index++) {
      const value = workspace.kv.get(workspace.keys.chunk(partition, first + index));
      // a concurrent write has replaced the generation
      if (value === undefined) continue;
      const { level, start, end, title = "", terms } = decodeChunk(value);
      const held = further.filter(
        (space) => workspace.kv.get(workspace.keys.vector(space, partition, first + index)) !== undefined,
      );
      const text = texts[level].slice(start, Math.min(end, start + MAX_TEXT)).toWellFormed();
      const spaces = [INSTANT_SPACE, ...held];
      views.push({ index, level, start, end, title, text, terms: terms.size, spaces });
    }
    return views;
  } finally {
    lease?.release();
  }
}
