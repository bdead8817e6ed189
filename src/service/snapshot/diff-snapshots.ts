import { isAtOrInside, type Path, type UriCodec } from "../../domain/uri.ts";
import { type SnapshotPlace, SnapshotReader } from "../../workspace/snapshots/snapshot-reader.ts";
import { findSnapshot, pathIn } from "../../workspace/snapshots/visible-snapshots.ts";
import type { Cursors } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import { MovedNodes, type States } from "./moved-nodes.ts";
import { firstOf, listOf, pageSize, type SnapshotDeps } from "./own-snapshots.ts";
import { isSame, type TreeDifference, treeDifferences } from "./tree-differences.ts";

export interface SnapshotDifference {
  kind: string;
  uri: string;
  type: string;
  /** URI in the first state, if different. */
  movedFrom?: string;
  sizeBefore?: number;
  sizeAfter?: number;
}

/** GET snapshots/{name}/diff: differences between a snapshot and a later snapshot, or the current tree. */
export async function diffSnapshots(
  { tenants, cursors }: Pick<SnapshotDeps, "tenants"> & { readonly cursors: Cursors },
  call: ServiceCall,
  input: {
    readonly name: string;
    readonly toSnapshot?: string | undefined;
    readonly uri?: string | undefined;
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
  },
): Promise<{ differences: SnapshotDifference[]; nextCursor?: string }> {
  const limit = pageSize(input.limit);
  const tenant = await tenants.openOrEmpty(call.caller);
  const { workspace } = tenant;
  const args = [input.name, input.toSnapshot ?? "", input.uri ?? ""];
  const list = listOf(call, workspace, "snapshot-diff", args);
  const place = cursors.open(list, input.cursor);
  const from = findSnapshot(tenant, input.name);
  const to = input.toSnapshot === undefined ? undefined : findSnapshot(tenant, input.toSnapshot);
  const path = pathIn(tenant, from, input.uri);
  if (to) pathIn(tenant, to, workspace.uris.format(path));
  const resume = place === undefined ? undefined : workspace.uris.parse(place);
  const kv = workspace.kv.snapshot();
  try {
    const states = {
      before: new SnapshotReader(tenant, kv, from, call.signal),
      after: new SnapshotReader(tenant, kv, to, call.signal),
    };
    const { page, last } = await firstOf(differencesBelow(states, path, resume), limit);
    return {
      differences: page.map((one) => viewOf(workspace.uris, one)),
      ...(last && { nextCursor: cursors.seal(list, workspace.uris.format(last)) }),
    };
  } finally {
    kv.close();
  }
}

/** The differences at and below a path, for all roots of the snapshot there. */
async function* differencesBelow(
  states: States,
  path: Path,
  resume: Path | undefined,
): AsyncGenerator<TreeDifference> {
  const starts = states.before.startsOf(path);
  // throws NOT_FOUND: the snapshot does not cover the path
  if (starts.length === 0) await states.before.mustFind(path);
  const sides = { ...states, moves: new MovedNodes(states, starts) };
  const passed = starts.findIndex((start) => resume && isAtOrInside(resume, start));
  for (const start of starts.slice(Math.max(passed, 0))) yield* treeDifferences(sides, start, resume);
}

function viewOf(uris: UriCodec, { path, before, after }: TreeDifference): SnapshotDifference {
  const from = before && after && uris.format(before.path);
  const uri = uris.format(path);
  return {
    kind: kindOf(before, after, from !== uri),
    uri,
    type: (after ?? before)?.kind ?? "file",
    ...(from !== undefined && from !== uri && { movedFrom: from }),
    ...(before?.kind === "file" && { sizeBefore: before.entry?.size ?? 0 }),
    ...(after?.kind === "file" && { sizeAfter: after.entry?.size ?? 0 }),
  };
}

function kindOf(
  before: SnapshotPlace | undefined,
  after: SnapshotPlace | undefined,
  isElsewhere: boolean,
): string {
  if (!before) return "added";
  if (!after) return "removed";
  return isElsewhere && (after.kind === "directory" || isSame(before, after)) ? "moved" : "changed";
}
