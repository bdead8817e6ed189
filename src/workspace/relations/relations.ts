import { EventLoopYielder } from "../../base/event-loop.ts";
import { present } from "../../base/expect.ts";
import { NO_NODE, type NodeId } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import { type KvPages, keyPages, prefixRange, textPages } from "../../storage/kv.ts";
import { endsOfKey, lastNodeOfKey, nodeEnd, nodeOfEnd, placeEnd } from "../keys.ts";
import { RELATIONS, type RelationRecord } from "../records.ts";
import type { Owner } from "../tree/locate.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import {
  type EndPath,
  lastingEnds,
  liveEnd,
  nodeOnPlace,
  pathOfPlace,
  placeOfEnd,
  placeOfNode,
} from "./ends.ts";
import { relate, unrelate } from "./records.ts";

const PAGE = 500;
/** Maximum number of relations per transaction; they fit even with the longest reasons and URIs. */
const LINKS_PER_CHANGE = 100;

export interface Relation extends RelationRecord {
  readonly from: Path;
  readonly to: Path;
}

export type Direction = "out" | "in";

/** Runs a change that reads relations before it writes. Such changes run one at a time. */
export const alone = <T>(workspace: Workspace, change: () => Promise<T>): Promise<T> =>
  workspace.locks.run("relations", change);

/**
 * Links a path to others; an existing link gets the new reason. Links created before an error remain;
 * repeating the call is harmless.
 */
export async function link(
  workspace: Workspace,
  owner: Owner,
  from: Path,
  to: readonly Path[],
  reason: string,
): Promise<void> {
  for (let at = 0; at < to.length; at += LINKS_PER_CHANGE)
    await alone(workspace, () =>
      linkSome(workspace, owner, from, to.slice(at, at + LINKS_PER_CHANGE), reason),
    );
}

async function linkSome(
  workspace: Workspace,
  owner: Owner,
  from: Path,
  to: readonly Path[],
  reason: string,
): Promise<void> {
  const { kv, keys } = workspace;
  const targets = await Promise.all(
    to.map(async (path) => ({ path, lasting: await lastingEnds(kv, keys, owner, path) })),
  );
  const lasting = await lastingEnds(kv, keys, owner, from);
  await workspace.transact((draft) => {
    const [start, ...others] = endsNow(draft, owner, from, lasting, true);
    for (const target of targets) {
      const [end, ...otherEnds] = endsNow(draft, owner, target.path, target.lasting, true);
      const known = drop(draft, [start, ...others], [end, ...otherEnds]);
      relate(draft, start, end, { reason, createdAt: known?.createdAt ?? workspace.clock() });
    }
    draft.onDurable(() => {
      workspace.hasRelations = true;
    });
    return () => undefined;
  });
}

/** Removes one direction of a link, if it exists. */
export function unlinkRelation(workspace: Workspace, owner: Owner, from: Path, to: Path): Promise<void> {
  const { kv, keys } = workspace;
  return alone(workspace, async () => {
    const [fromLasting, toLasting] = await Promise.all([
      lastingEnds(kv, keys, owner, from),
      lastingEnds(kv, keys, owner, to),
    ]);
    await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      drop(
        draft,
        endsNow(draft, owner, from, fromLasting, false),
        endsNow(draft, owner, to, toLasting, false),
      );
      return () => undefined;
    });
  });
}

/**
 * Relations from or to a path that a reader may see, from one snapshot, unordered; each pair of URIs once.
 */
export async function* relationsOf(
  workspace: Workspace,
  owner: Owner,
  path: Path,
  direction: Direction,
): AsyncGenerator<Relation> {
  if (!workspace.hasRelations) return;
  // a purge moves relations from nodes to paths; between two reads, one could be missed
  const snapshot = workspace.kv.snapshot();
  try {
    yield* relationsAt(snapshot, workspace, owner, path, direction);
  } finally {
    snapshot.close();
  }
}

async function* relationsAt(
  kv: KvPages,
  { keys, incarnation }: Workspace,
  owner: Owner,
  path: Path,
  direction: Direction,
): AsyncGenerator<Relation> {
  const yielder = new EventLoopYielder(incarnation);
  const side = direction === "out" ? "o" : "i";
  const seen = new Set<EndPath>();
  const now = liveEnd(kv, keys, owner, path).end;
  for (const end of new Set([now, ...(await lastingEnds(kv, keys, owner, path))])) {
    const prefix = keys.relations(side, end);
    for await (const [key, text] of records(kv, prefix)) {
      await yielder.yieldIfDue();
      const other = key.slice(prefix.length);
      const place = placeOfEnd(kv, keys, other);
      if (place === undefined || seen.has(place)) continue;
      const there = pathOfPlace(owner, place, nodeOfEnd(other));
      const record =
        direction === "out" ? RELATIONS.parse(text) : RELATIONS.read(kv, keys.relation("o", other, end));
      if (!there || !record) continue;
      seen.add(place);
      yield { ...record, ...(direction === "out" ? { from: path, to: there } : { from: there, to: path }) };
    }
  }
}

/**
 * Moves the relations of a removed node to its path. Removes them instead if the path is gone, too (with a
 * user or session), or was hidden from somebody.
 */
export const settleRelations = (workspace: Workspace, node: NodeId, signal: AbortSignal): Promise<void> =>
  alone(workspace, () => settleAll(workspace, node, signal));

async function settleAll(workspace: Workspace, node: NodeId, signal: AbortSignal): Promise<void> {
  const { kv, keys, sharing, table } = workspace;
  // a replaced file still exists
  if (workspace.entryOf(node) && workspace.table.isReachable(node)) return;
  const end = nodeEnd(node);
  // grants cannot hide a path without a node
  const isHidden = sharing.hidesFromSome(node, table);
  for (const side of ["o", "i"] as const) {
    const prefix = keys.relations(side, end);
    for (;;) {
      signal.throwIfAborted();
      const page = await kv.keys(prefixRange(prefix, LINKS_PER_CHANGE));
      if (page.length === 0) break;
      await workspace.transact((draft) => {
        draft.isBeyondQuota = true;
        const last = isHidden ? undefined : placeOfNode(draft, keys, node);
        // a folder that hides the path may be moved away later, and then nothing hides the relation
        const near = last === undefined ? NO_NODE : nodeOnPlace(draft, keys, last);
        const place = sharing.hidesFromSome(near, table) ? undefined : last;
        for (const key of page) settle(draft, side, end, key.slice(prefix.length), place);
        return () => undefined;
      });
    }
  }
}

function settle(
  draft: WorkspaceDraft,
  side: "o" | "i",
  end: string,
  other: string,
  place: EndPath | undefined,
): void {
  const known = side === "o" ? drop(draft, [end], [other]) : drop(draft, [other], [end]);
  if (!known || place === undefined) return;
  const [from, to] = side === "o" ? [placeEnd(place), other] : [other, placeEnd(place)];
  // keep a relation that was created since
  if (from !== to && draft.get(draft.keys.relation("o", from, to)) === undefined)
    relate(draft, from, to, known);
}

/**
 * Keys of the relations at a path and below, with their reverse records. They are deleted together with the
 * content; call within `alone`.
 */
export async function relationKeysBelow(workspace: Workspace, place: EndPath): Promise<string[]> {
  const { kv, keys, incarnation } = workspace;
  const found: string[] = [];
  const yielder = new EventLoopYielder(incarnation);
  const add = async (prefix: string, pairOf: (key: string) => string) => {
    for await (const page of keyPages(kv, prefixRange(prefix, PAGE))) {
      for (const key of page) found.push(key, pairOf(key));
      await yielder.yieldIfDue();
    }
  };
  for (const side of ["o", "i"] as const) {
    const pairOf = (key: string) => {
      const [end, other] = endsOfKey(keys.allRelationsOf(side), key);
      return keys.relation(side === "o" ? "i" : "o", other, end);
    };
    await add(`${keys.relationsAt(side, place)}/`, pairOf);
    await add(keys.relations(side, placeEnd(place)), pairOf);
  }
  for (const prefix of [keys.goneBelow(place), keys.goneAt(place)])
    await add(prefix, (key) => keys.gone(lastNodeOfKey(key)));
  return found;
}

/**
 * The ends of a path at the commit point; the first one is for new relations. `flag`: also marks the entry as
 * related.
 */
function endsNow(
  draft: WorkspaceDraft,
  owner: Owner,
  path: Path,
  lasting: readonly string[],
  flag: boolean,
): [live: string, ...others: string[]] {
  const { end, directory, entry } = liveEnd(draft, draft.keys, owner, path);
  if (flag && entry && !entry.related)
    draft.updateEntry(directory, present(draft.node(entry.node), "record of an end").name, {
      ...entry,
      related: true,
    });
  return [end, ...new Set(lasting.filter((other) => other !== end))];
}

/** Removes the relation between any ends of two paths; returns the removed record. */
function drop(
  draft: WorkspaceDraft,
  from: readonly string[],
  to: readonly string[],
): RelationRecord | undefined {
  let known: RelationRecord | undefined;
  for (const start of from) {
    for (const end of to) {
      const found = RELATIONS.read(draft, draft.keys.relation("o", start, end));
      if (!found) continue;
      known ??= found;
      unrelate(draft, start, end);
    }
  }
  return known;
}

async function* records(kv: KvPages, prefix: string): AsyncGenerator<[key: string, record: string]> {
  for await (const page of textPages(kv, prefixRange(prefix, PAGE))) yield* page;
}
