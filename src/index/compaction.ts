import type { YieldBudget } from "../base/event-loop.ts";
import { itemAt, lastOf } from "../base/expect.ts";
import { lastNumber } from "../storage/key-numbers.ts";
import { type KvReader, keyPages, prefixRange } from "../storage/kv.ts";
import { encodeRecord, NUMBERS } from "../storage/record-codec.ts";
import { removeUnnamed } from "./files.ts";
import { closeNeighbours, maintainNeighbours } from "./maintain-neighbours.ts";
import { manifestOf, rangesOf } from "./manifest.ts";
import { type Compactable, type OwnerSegments, type SealedSegment, setLateVector } from "./owner-segments.ts";
import type { MutableSegment } from "./segments/mutable-segment.ts";
import { readRow } from "./segments/rows.ts";
import { MAX_SEGMENT_DOCS, type SealSource, seal, sealTurns } from "./segments/seal.ts";
import { Segment } from "./segments/segment.ts";
import type { SegmentColumns } from "./segments/segment-columns.ts";
import { namesOf, writeSegment } from "./segments/segment-files.ts";

/** Number of segments of similar size that are merged. */
const TIER = 4;
/** Share of dead rows above which a segment is rewritten. */
const MAX_DEAD_SHARE = 0.25;
/**
 * Share of vectors added after the seal above which a segment is rewritten. Up to it, they are read from
 * their records when the segment is loaded.
 */
const MAX_LATE_SHARE = 0.25;
const KEYS_PER_PAGE = 1000;
/** Estimated work per key (see seal.ts). */
const KEY_WORK = 50;
/** Estimated work per row that is looked at, in the same unit. */
const ROW_WORK = 1;

/**
 * Seals full mutable segments and merges segments until nothing is left to do. Each step writes files, then
 * updates the manifest in one transaction. Files of an unfinished step are in no manifest; the next start
 * deletes them.
 */
export async function compact(partition: Compactable, signal: AbortSignal): Promise<void> {
  const { loaded, home } = partition;
  if (!loaded) return;
  for (let full = loaded.frozen[0]; full; full = loaded.frozen[0]) {
    if (home.isClosed() || isForgotten(partition, home.kv)) return partition.forget();
    await sealTail(partition, loaded, full, signal);
  }
  const next = () => dueForMerge(partition, loaded, sealTurns(signal));
  for (let due = await next(); due; due = await next()) {
    if (home.isClosed() || isForgotten(partition, home.kv)) return partition.forget();
    await merge(partition, loaded, due, signal);
  }
  maintainNeighbours(partition);
}

/** Rewrites every segment that contains chunks without a record, however few. */
export async function scrub(partition: Compactable, signal: AbortSignal): Promise<void> {
  await compact(partition, signal);
  const { loaded, home } = partition;
  for (const part of loaded?.segments ?? []) {
    if (!loaded || home.isClosed() || isForgotten(partition, home.kv)) return;
    const { count, has } = await recordsOf(partition, [part], signal);
    if (count < part.segment.count) await mergeAll(partition, loaded, [part], has, signal);
  }
}

/**
 * Whether the manifest was removed with its owner. Chunks moved to other owners are then read from their
 * records at the next search.
 */
const isForgotten = ({ home, number, loaded }: Compactable, read: Pick<KvReader, "get">): boolean =>
  loaded !== undefined && loaded.segments.length > 0 && read.get(home.keys.manifest(number)) === undefined;

async function sealTail(
  partition: Compactable,
  loaded: OwnerSegments,
  full: MutableSegment,
  signal: AbortSignal,
): Promise<void> {
  await step(partition, async () => {
    const made = await write(partition, [full.source], () => true, signal);
    await swap(partition, loaded, { made, sealed: full, merged: [] });
  });
}

/**
 * Runs one seal or merge, during which the partition collects late vectors. Ignores errors of a closed
 * workspace.
 */
async function step(partition: Compactable, run: () => Promise<void>): Promise<void> {
  partition.lateVectors = [];
  try {
    await run();
  } catch (error) {
    if (!partition.home.isClosed()) throw error;
  } finally {
    partition.lateVectors = undefined;
  }
}

/** The segments to merge next: one with too many dead or late rows, or TIER segments of similar size. */
async function dueForMerge(
  partition: Compactable,
  { segments }: OwnerSegments,
  turns: YieldBudget,
): Promise<readonly SealedSegment[] | undefined> {
  const { sealDocs } = partition.home.stores;
  for (const part of segments) {
    if (await isLate(partition, part.segment, turns)) return [part];
    const dead = await deadIn(partition, part.segment, turns);
    if (dead > part.segment.count * MAX_DEAD_SHARE && dead > part.checked * (1 + MAX_DEAD_SHARE))
      return [part];
  }
  const tiers = new Map<number, SealedSegment[]>();
  for (const part of segments) {
    const tier = Math.max(0, Math.floor(Math.log(part.segment.count / sealDocs) / Math.log(TIER)));
    const same = [...(tiers.get(tier) ?? []), part];
    if (same.length === TIER && same.reduce((sum, { segment }) => sum + segment.count, 0) <= MAX_SEGMENT_DOCS)
      return same;
    tiers.set(tier, same);
  }
  return undefined;
}

/** Whether many vectors of the main space are not in files, and no more are expected. */
async function isLate({ home }: Compactable, segment: Segment, turns: YieldBudget): Promise<boolean> {
  const [main] = home.stores.spaces;
  if (main === undefined || segment.lateVectors(main) <= segment.count * MAX_LATE_SHARE) return false;
  const { documents, source } = segment;
  const matrix = source.vectors.get(main);
  for (let row = 0; row < documents.rows; row++) {
    const turn = turns.spend(ROW_WORK);
    if (turn) await turn;
    if (!matrix?.has(row) && isCurrentRow(home, documents, row)) return false;
  }
  return true;
}

/** Number of rows that are not live, including those of unfinished nodes. */
async function deadIn({ home }: Compactable, { documents }: Segment, turns: YieldBudget): Promise<number> {
  let dead = 0;
  for (let row = 0; row < documents.rows; row++) {
    const turn = turns.spend(ROW_WORK);
    if (turn) await turn;
    if (!isCurrentRow(home, documents, row)) dead++;
  }
  return dead;
}

const isCurrentRow = (
  home: Compactable["home"],
  { node, generation }: Segment["documents"],
  row: number,
): boolean => home.isCurrent(node[row]!, generation[row]!);

/** Merges segments; omits chunks without a record. */
async function merge(
  partition: Compactable,
  loaded: OwnerSegments,
  due: readonly SealedSegment[],
  signal: AbortSignal,
): Promise<void> {
  const records = await recordsOf(partition, due, signal);
  const [only] = due;
  if (
    due.length === 1 &&
    only &&
    !(await isLate(partition, only.segment, sealTurns(signal))) &&
    records.count >= only.segment.count * (1 - MAX_DEAD_SHARE)
  ) {
    only.checked = await deadIn(partition, only.segment, sealTurns(signal));
    return;
  }
  await mergeAll(partition, loaded, due, records.has, signal);
}

async function mergeAll(
  partition: Compactable,
  loaded: OwnerSegments,
  due: readonly SealedSegment[],
  isKept: (doc: number) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const sources = due.map(({ segment }) => segment.source);
  await step(partition, async () => {
    const made = await write(partition, sources, isKept, signal);
    if (made) made.checked = await deadIn(partition, made.segment, sealTurns(signal));
    await swap(partition, loaded, { made, merged: due });
  });
}

/**
 * Returns which of the segments' chunks still have a record, and how many of these are in the first segment.
 */
async function recordsOf(
  { home, number }: Compactable,
  due: readonly SealedSegment[],
  signal: AbortSignal,
): Promise<{ count: number; has: (doc: number) => boolean }> {
  const first = Math.min(...due.map(({ record }) => record.first));
  const last = Math.max(...due.map(({ record }) => record.last));
  const found = new Uint8Array(last - first + 1);
  const turns = sealTurns(signal);
  let count = 0;
  const range = {
    gte: home.keys.chunk(number, first),
    lt: home.keys.chunk(number, last + 1),
    limit: KEYS_PER_PAGE,
  };
  for await (const keys of keyPages(home.kv, range)) {
    for (const key of keys) {
      const doc = lastNumber(key);
      found[doc - first] = 1;
      if (itemAt(due, 0).segment.has(doc)) count++;
      await turns.spend(KEY_WORK);
    }
  }
  return { count, has: (doc) => found[doc - first] === 1 };
}

/** Writes a new segment and loads it; undefined if it would be empty. */
async function write(
  { home }: Compactable,
  sources: readonly SealSource[],
  isKept: (doc: number) => boolean,
  signal: AbortSignal,
): Promise<SealedSegment | undefined> {
  const columns: SegmentColumns = await seal(sources, isKept, sealTurns(signal));
  const { doc } = columns.documents;
  if (doc.length === 0) return undefined;
  const files = await writeSegment(home.folder, columns);
  if (home.isDeleted()) await home.folder.files.drop(home.folder.bucket);
  const segment = await Segment.open(columns, sealTurns(signal));
  return {
    record: { files, docs: doc.length, first: itemAt(doc, 0), last: lastOf(doc) },
    segment,
    checked: 0,
    isIndexed: false,
    builds: 0,
  };
}

interface Step {
  readonly made: SealedSegment | undefined;
  readonly sealed?: MutableSegment;
  readonly merged: readonly SealedSegment[];
}

async function swap(
  partition: Compactable,
  loaded: OwnerSegments,
  { made, sealed, merged }: Step,
): Promise<void> {
  const { home, number } = partition;
  const key = home.keys.manifest(number);
  const segments = loaded.segments.filter((part) => !merged.includes(part));
  if (made) segments.push(made);
  segments.sort((a, b) => a.record.first - b.record.first);
  const isOwned = segments.length > 0 || (await hasOwner(home, number));
  const before = await home.kv.transact((read) => {
    if (home.isClosed() || isForgotten(partition, read))
      throw new Error(`partition ${number} was given up in the meantime`);
    const manifest = manifestOf(read.get(key));
    const end = Math.max(manifest.end, ...segments.map(({ record }) => record.last + 1));
    const open = [...loaded.frozen, loaded.mutable].filter((mutable) => mutable !== sealed);
    const known = new Map(manifest.segments.map(({ files }) => [files.documents, files.neighbours]));
    const records = segments.map(({ record, segment }) => {
      const built = known.get(record.files.documents);
      // a rewrite for late vectors keeps the chunks but may change the space of the index
      const neighbours = built?.space === segment.whole?.space ? built : undefined;
      // an index built since may not be loaded yet
      return { ...record, files: { ...record.files, ...(neighbours && { neighbours }) } };
    });
    const late = [
      ...rangesOf(open.flatMap((mutable) => docsBelow(mutable, end))),
      ...partition.reserved.below(end),
    ];
    return {
      ops: [
        {
          key,
          value: isOwned
            ? encodeRecord({ guests: manifest.guests, segments: records, end, late })
            : undefined,
        },
      ],
      apply: () => {
        for (const [i, part] of segments.entries()) part.record = itemAt(records, i);
        loaded.segments = segments;
        loaded.frozen = loaded.frozen.filter((mutable) => mutable !== sealed);
        for (const late of partition.lateVectors ?? []) setLateVector(loaded, late);
        return manifest;
      },
    };
  });
  closeNeighbours({ segments: merged });
  const kept = new Set(segments.flatMap(({ record }) => namesOf(record.files)));
  const unused = before.segments.flatMap(({ files }) => namesOf(files)).filter((name) => !kept.has(name));
  await removeUnnamed(home, unused);
}

/**
 * Whether the partition's owner exists. Otherwise the partition is kept only for content that was moved to
 * other owners.
 */
async function hasOwner({ kv, keys }: Compactable["home"], partition: number): Promise<boolean> {
  const owners = await kv.range(prefixRange(keys.allPartitions()));
  return owners.some(([key, value]) => NUMBERS.decode(value, key) === partition);
}

function docsBelow({ documents }: MutableSegment, end: number): number[] {
  const docs: number[] = [];
  for (let row = 0; row < documents.rows; row++) {
    const { node, doc } = readRow(documents, row);
    if (node !== -1 && doc < end) docs.push(doc);
  }
  return docs;
}
