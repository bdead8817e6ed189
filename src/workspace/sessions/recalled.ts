import type { NodeId } from "../../domain/node.ts";
import { lastNumber } from "../../storage/key-numbers.ts";
import { type KvPages, type KvReader, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { Conflict } from "../conflict.ts";
import type { Keys } from "../keys.ts";
import { RECALLED_EXTENTS, RECALLED_PARTS, type RecalledExtent, type RecalledPart } from "../records.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";

/** Maximum number of parts in a session's recall block. */
export const MAX_RECALLED_PARTS = 400;

export type NumberedPart = readonly [sequence: number, part: RecalledPart];

const NOTHING: RecalledExtent = { first: 1, last: 0 };

export const recalledExtent = (reader: KvReader, keys: Keys, session: NodeId): RecalledExtent =>
  RECALLED_EXTENTS.read(reader, keys.recalledExtent(session)) ?? NOTHING;

/** The parts of a session's recall block, in order. */
export async function recalledParts(kv: KvPages, keys: Keys, session: NodeId): Promise<NumberedPart[]> {
  const page = await kv.range(prefixRange(keys.recalledParts(session), MAX_RECALLED_PARTS));
  return page.map(([key, value]) => [lastNumber(key), RECALLED_PARTS.decode(value, key)]);
}

/** Extent of the block after a turn; undefined if the turn is unknown. */
export const recalledAt = (
  reader: KvReader,
  keys: Keys,
  session: NodeId,
  turn: string,
): RecalledExtent | undefined => RECALLED_EXTENTS.read(reader, keys.recalledTurn(session, turn));

export interface RecalledChange {
  /** Extent of the block before the change. */
  readonly before: RecalledExtent;
  readonly turn: string;
  readonly added: readonly RecalledPart[];
  /** Numbers of parts to remove: their nodes are gone, or the block is restarted. */
  readonly dropped: readonly number[];
  readonly isRestarted: boolean;
  /** Whether the turn has a permanent block; throws Conflict if another call has stored one first. */
  readonly isFixed?: boolean;
}

/** Appends to the recall block of a session. Throws Conflict after a concurrent append. */
export function changeRecalled(draft: WorkspaceDraft, session: NodeId, change: RecalledChange): void {
  const { keys } = draft;
  const { before, turn, added, dropped, isRestarted } = change;
  if (recalledExtent(draft, keys, session).last !== before.last) throw new Conflict("the recalled block");
  if (change.isFixed && recalledAt(draft, keys, session, turn)) throw new Conflict("the recalled turn");
  for (const sequence of dropped) draft.delete(keys.recalledPart(session, sequence));
  for (const [i, part] of added.entries())
    draft.put(keys.recalledPart(session, before.last + 1 + i), encodeRecord(part));
  const extent: RecalledExtent = {
    first: isRestarted ? before.last + 1 : before.first,
    last: before.last + added.length,
  };
  draft.put(keys.recalledExtent(session), encodeRecord(extent));
  const ofTurn: RecalledExtent = { ...extent, from: before.last + 1 };
  draft.put(keys.recalledTurn(session, turn), encodeRecord(ofTurn));
}
