import { isAtOrInside, type Path } from "../../domain/uri.ts";
import { type SnapshotPlace, SnapshotReader } from "../../workspace/snapshots/snapshot-reader.ts";
import { findSnapshot, pathIn } from "../../workspace/snapshots/visible-snapshots.ts";
import type { Cursors } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import { firstOf, listOf, pageSize, type SnapshotDeps } from "./own-snapshots.ts";

export interface SnapshotEntryView {
  uri: string;
  type: string;
  size: number;
  modifiedAt?: string;
  etag?: string;
}

/**
 * GET snapshots/{name}/entries: lists a folder as it was at the time of the snapshot, optionally with
 * everything below.
 */
export async function listSnapshotEntries(
  { tenants, cursors }: Pick<SnapshotDeps, "tenants"> & { readonly cursors: Cursors },
  call: ServiceCall,
  input: {
    readonly name: string;
    readonly uri?: string | undefined;
    readonly recursive: boolean;
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
  },
): Promise<{ uri: string; entries: SnapshotEntryView[]; nextCursor?: string }> {
  const limit = pageSize(input.limit);
  const tenant = await tenants.openOrEmpty(call.caller);
  const { workspace } = tenant;
  const args = [input.name, input.uri ?? "", input.recursive];
  const list = listOf(call, workspace, "snapshot-entries", args);
  const after = cursors.open(list, input.cursor);
  const snapshot = findSnapshot(tenant, input.name);
  const path = pathIn(tenant, snapshot, input.uri);
  const uri = workspace.uris.format(path);
  const kv = workspace.kv.snapshot();
  try {
    const reader = new SnapshotReader(tenant, kv, snapshot, call.signal);
    const resume = after === undefined ? undefined : workspace.uris.parse(after);
    const { page, last } = await firstOf(placesAt(reader, path, input.recursive, resume), limit);
    return {
      uri,
      entries: page.map((place) => viewOf(workspace.uris.format(place.path), place)),
      ...(last && { nextCursor: cursors.seal(list, workspace.uris.format(last)) }),
    };
  } finally {
    kv.close();
  }
}

function viewOf(uri: string, { kind, entry }: SnapshotPlace): SnapshotEntryView {
  return {
    uri,
    type: kind,
    size: entry?.size ?? 0,
    ...(entry && { modifiedAt: new Date(entry.modified).toISOString() }),
    ...(entry?.hash !== undefined && { etag: entry.hash }),
  };
}

/**
 * The entries below a path in pre-order; for a path above the snapshot's roots, the roots and what is below.
 */
async function* placesAt(
  reader: SnapshotReader,
  path: Path,
  isRecursive: boolean,
  after: Path | undefined,
): AsyncGenerator<SnapshotPlace> {
  const starts = reader.startsOf(path);
  const isAbove = starts.length !== 1 || starts[0]?.length !== path.length;
  // throws NOT_FOUND: the snapshot does not cover the path
  if (starts.length === 0) await reader.mustFind(path);
  const passed = after && starts.findIndex((start) => isAtOrInside(after, start));
  for (const start of starts.slice(Math.max(passed ?? 0, 0))) {
    const isResumed = after !== undefined && isAtOrInside(after, start);
    const place = isAbove ? await reader.find(start) : await reader.mustFind(start);
    if (!place) continue;
    if (isAbove && !isResumed) yield place;
    if (place.kind === "file" || (isAbove && !isRecursive)) continue;
    yield* below(reader, place, isRecursive, isResumed ? after.slice(start.length) : []);
  }
}

async function* below(
  reader: SnapshotReader,
  folder: SnapshotPlace,
  isRecursive: boolean,
  [name, ...rest]: Path,
): AsyncGenerator<SnapshotPlace> {
  for await (const place of reader.children(folder, name)) {
    const isResumed = name !== undefined && place.path.at(-1) === name;
    if (!isResumed) yield place;
    if (isRecursive && place.kind === "directory") yield* below(reader, place, true, isResumed ? rest : []);
  }
}
