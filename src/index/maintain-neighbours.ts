import { present, valueFor } from "../base/expect.ts";
import { INSTANT_SPACE } from "../domain/chunk.ts";
import { encodeRecord } from "../storage/record-codec.ts";
import { removeUnnamed } from "./files.ts";
import { manifestOf, type SegmentRecord } from "./manifest.ts";
import type {
  Compactable,
  IndexContext,
  NeighbourStores,
  OwnerSegments,
  SealedSegment,
} from "./owner-segments.ts";
import type { Segment } from "./segments/segment.ts";

/**
 * Minimum vector components in a segment for a neighbour index (131,072 rows of 384 dimensions). Smaller
 * segments are scanned fast enough on the main thread. An index search runs in another process, and its time
 * grows only logarithmically with the rows.
 */
const WORTH_NUMBERS = 131_072 * 384;
/** Maximum number of index builds per loaded segment, so that a failing disk is not written to forever. */
const MAX_BUILDS = 3;

/** Opens the neighbour indexes of the segments and builds missing ones, both in the background. */
export function maintainNeighbours(partition: Compactable): void {
  const { loaded, home } = partition;
  const { neighbours } = home.stores;
  if (!loaded || !neighbours) return;
  for (const part of loaded.segments) {
    if (part.record.files.neighbours) open(partition, part);
    else if (isWorthBuilding(part, home)) build(partition, part);
  }
}

/** False if a scan is faster, or main-space vectors will soon replace those of this space. */
function isWorthBuilding(
  { segment, builds }: SealedSegment,
  { stores: { spaces, neighbours } }: IndexContext,
): boolean {
  return (
    segment.whole?.space === (spaces[0] ?? INSTANT_SPACE) &&
    builds < MAX_BUILDS &&
    neighbours !== undefined &&
    !isSmall(segment, neighbours)
  );
}

function isSmall({ whole, vectors, count }: Segment, { minDocs, isForced }: NeighbourStores): boolean {
  const numbers = whole ? count * valueFor(vectors, whole.space).dimensions : 0;
  return count < minDocs || (!isForced && numbers < WORTH_NUMBERS);
}

/** Closes the neighbour indexes of segments that are dropped from memory. */
export function closeNeighbours({ segments }: Pick<OwnerSegments, "segments">): void {
  for (const { segment } of segments) {
    segment.neighbours?.close();
    segment.neighbours = undefined;
  }
}

function open(partition: Compactable, part: SealedSegment): void {
  const stores = present(partition.home.stores.neighbours, "store of neighbours");
  const { neighbours } = part.record.files;
  const { whole } = part.segment;
  if (!neighbours || part.segment.neighbours || whole?.space !== neighbours.space) return;
  const onLost = (isDamaged: boolean) =>
    void drop(partition, part, isDamaged).catch((error) => failed(partition, error));
  const { bucket } = partition.home.folder;
  part.segment.neighbours = stores.indexes.open({
    bucket,
    file: neighbours.file,
    ...whole,
    isSmall: isSmall(part.segment, stores),
    onLost,
  });
}

function build(partition: Compactable, part: SealedSegment): void {
  if (part.isIndexed) return;
  part.isIndexed = true;
  part.builds++;
  const { home } = partition;
  const { indexes, signal } = present(home.stores.neighbours, "store of neighbours");
  const { space } = present(part.segment.whole, "whole space of vectors");
  const attempt = async () => {
    const file = await indexes.build(
      {
        bucket: home.folder.bucket,
        file: present(part.record.files.vectors[space], `file of ${space}`),
        space,
      },
      signal,
    );
    if (!(await adopt(partition, part, { space, file }))) await removeUnnamed(home, [file]);
    if (home.isDeleted()) await home.folder.files.drop(home.folder.bucket);
  };
  void attempt().catch((error) => {
    const isWanted = partition.loaded?.segments.includes(part) && !home.isClosed() && !signal.aborted;
    if (isWanted) failed(partition, error);
  });
}

/** Adds the index file to the manifest; false if the segment is no longer in the manifest. */
function adopt(
  partition: Compactable,
  part: SealedSegment,
  neighbours: SegmentRecord["files"]["neighbours"],
): Promise<boolean> {
  return change(partition, part, (record) => ({ ...record, files: { ...record.files, neighbours } }));
}

/** Removes the index file from the manifest, and builds another one if that can help. */
async function drop(partition: Compactable, part: SealedSegment, isDamaged: boolean): Promise<void> {
  const { neighbours } = part.record.files;
  part.segment.neighbours = undefined;
  part.isIndexed = !isDamaged;
  const without = ({ files: { neighbours: _, ...files }, ...record }: SegmentRecord): SegmentRecord => ({
    ...record,
    files,
  });
  if (neighbours && (await change(partition, part, without)))
    await removeUnnamed(partition.home, [neighbours.file]);
}

/** Edits the segment's record in the current manifest, which may have changed since the build began. */
async function change(
  partition: Compactable,
  part: SealedSegment,
  edit: (record: SegmentRecord) => SegmentRecord,
): Promise<boolean> {
  const { home, number } = partition;
  const key = home.keys.manifest(number);
  const isSame = ({ files }: SegmentRecord) => files.documents === part.record.files.documents;
  const isThere = await home.kv.transact((read) => {
    const manifest = manifestOf(read.get(key));
    const record = home.isClosed() ? undefined : manifest.segments.find(isSame);
    const edited = record && edit(record);
    const segments = manifest.segments.map((one) => (one === record && edited ? edited : one));
    return {
      ops: edited ? [{ key, value: encodeRecord({ ...manifest, segments }) }] : [],
      apply: () => {
        // the segment may have been reloaded in the meantime
        for (const one of partition.loaded?.segments ?? [])
          if (edited && isSame(one.record)) one.record = edited;
        return edited !== undefined;
      },
    };
  });
  maintainNeighbours(partition);
  return isThere;
}

const failed = ({ home, number }: Compactable, error: unknown): void =>
  home.stores.report(`an index of neighbours in partition ${number}`, error);
