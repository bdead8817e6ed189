import { invalidArgument } from "../../domain/errors.ts";
import type { Path } from "../../domain/uri.ts";
import type { ServiceCall } from "../call.ts";
import type { Cursors } from "../cursors.ts";
import { findSnapshot, pathIn, type SnapshotDeps } from "./own-snapshots.ts";
import { SnapshotReader } from "./snapshot-reader.ts";
import { type TreeDifference, treeDifferences } from "./tree-differences.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

export interface SnapshotDifference {
  kind: string;
  uri: string;
  type: string;
  sizeBefore?: number;
  sizeAfter?: number;
}

/** GET snapshots/{name}/diff: what differs between a snapshot and a later one, or the present. */
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
  const limit = input.limit ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  const tenant = await tenants.reading(call.caller);
  const { workspace } = tenant;
  const list = {
    operation: "snapshot-diff",
    caller: call.caller,
    incarnation: workspace.incarnation,
    args: [input.name, input.toSnapshot ?? "", input.uri ?? ""],
  };
  const place = cursors.open(list, input.cursor);
  const from = findSnapshot(tenant, input.name);
  const to = input.toSnapshot === undefined ? undefined : findSnapshot(tenant, input.toSnapshot);
  const path = pathIn(tenant, from, input.uri);
  if (to) pathIn(tenant, to, workspace.uris.format(path));
  const resume = place === undefined ? undefined : workspace.uris.parse(place);
  const kv = workspace.kv.snapshot();
  try {
    const sides = {
      before: new SnapshotReader(tenant, kv, from, call.signal),
      after: new SnapshotReader(tenant, kv, to, call.signal),
    };
    const starts = sides.before.startsOf(path);
    // a path that the snapshot does not cover
    if (starts.length === 0) await sides.before.mustFind(path);
    const passed = starts.findIndex((start) => resume && isAt(start, resume));
    const found: TreeDifference[] = [];
    for (const start of starts.slice(Math.max(passed, 0))) {
      for await (const one of treeDifferences(sides, start, resume)) {
        found.push(one);
        if (found.length > limit) break;
      }
      if (found.length > limit) break;
    }
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      differences: page.map((one) => viewOf(workspace.uris.format(one.path), one)),
      ...(last &&
        found.length > limit && { nextCursor: cursors.seal(list, workspace.uris.format(last.path)) }),
    };
  } finally {
    kv.close();
  }
}

const isAt = (start: Path, path: Path): boolean => start.every((name, i) => path[i] === name);

function viewOf(uri: string, { before, after }: TreeDifference): SnapshotDifference {
  return {
    kind: before ? (after ? "changed" : "removed") : "added",
    uri,
    type: (after ?? before)?.kind ?? "file",
    ...(before?.kind === "file" && { sizeBefore: before.entry?.size ?? 0 }),
    ...(after?.kind === "file" && { sizeAfter: after.entry?.size ?? 0 }),
  };
}
