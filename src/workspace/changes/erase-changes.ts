import type { ChangePlace, TreeChange } from "../../domain/change.ts";
import { AGENTS, type NodeId, RESOURCES, SESSIONS, USERS } from "../../domain/node.ts";
import { pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { ENTRIES } from "../records.ts";
import type { Workspace } from "../workspace.ts";
import { CHANGE_RECORDS, type ChangeRecord } from "./records.ts";

const PAGE = 64;
const PAGE_BYTES = 256 * 1024;

/** Nodes whose names must not remain in the log. */
export interface Unnamed {
  /** Owners' directories that may contain the nodes; undefined if they may be anywhere. */
  readonly spaces: ReadonlySet<number> | undefined;
  /** Only these nodes, and what was in these folders; undefined for everything in the spaces. */
  readonly nodes: Pick<ReadonlySet<number>, "has"> | undefined;
}

/** The current directories of an owner. */
export function spacesOf({ kv, keys }: Pick<Workspace, "kv" | "keys">, owner: string): Set<NodeId> {
  const spaces = new Set<NodeId>();
  for (const scope of [USERS, AGENTS, SESSIONS]) {
    const entry = ENTRIES.readShared(kv, keys.entry(scope, owner));
    if (entry) spaces.add(entry.node);
  }
  return spaces;
}

/**
 * Removes changes from the log whose names and hashes must not remain on disk. Their numbers remain, so that
 * a reader with access to the space notices the gap. Idempotent.
 */
export async function eraseChanges(
  workspace: Workspace,
  unnamed: Unnamed,
  signal: AbortSignal,
): Promise<void> {
  const { kv, keys } = workspace;
  const range = { ...prefixRange(keys.allChanges(), PAGE), maxBytes: PAGE_BYTES };
  for await (const page of pairPages(kv, range)) {
    signal.throwIfAborted();
    const touched = page.filter(
      ([key, value]) => without(CHANGE_RECORDS.decode(value, key), unnamed) !== undefined,
    );
    if (touched.length === 0) continue;
    await kv.transact((read) => ({
      ops: touched.flatMap(([key]) => {
        // the record may have been trimmed meanwhile
        const record = CHANGE_RECORDS.read(read, key);
        const left = record && without(record, unnamed);
        return left ? [{ key, value: encodeRecord(left) }] : [];
      }),
      apply: () => undefined,
    }));
  }
}

/** Undefined if the record need not change. */
function without(record: ChangeRecord, unnamed: Unnamed): ChangeRecord | undefined {
  let isTouched = false;
  const changes = record.changes.map((change) => {
    if (change === null || "takenOut" in change) return change;
    const left = leftOf(change, unnamed);
    isTouched ||= left !== change;
    return left;
  });
  return isTouched ? { ...record, changes } : undefined;
}

function leftOf(change: TreeChange, { spaces, nodes }: Unnamed): ChangeRecord["changes"][number] {
  const isUnnamed = ({ space, folders = [] }: ChangePlace) =>
    (spaces === undefined || (space !== undefined && spaces.has(space))) &&
    (nodes === undefined || nodes.has(change.node) || folders.some((folder) => nodes.has(folder)));
  const { from, ...one } = change;
  if (!isUnnamed(change.at)) return from && isUnnamed(from) ? { ...one, kind: "added" } : change;
  if (from && !isUnnamed(from)) return { ...one, kind: "removed", at: from };
  const { space = spaces === undefined ? RESOURCES : undefined } = change.at;
  return space === undefined ? null : { takenOut: space };
}
