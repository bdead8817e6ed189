import { expect, it } from "vitest";
import { SerialExecutor } from "../../../src/base/concurrency/serial-executor.ts";
import { workspaceId } from "../../../src/domain/ids.ts";
import { IndexCache } from "../../../src/index/cache.ts";
import { compact } from "../../../src/index/compaction.ts";
import type { Compactable, SealedSegment } from "../../../src/index/owner-segments.ts";
import { ReservedRanges } from "../../../src/index/reserved-ranges.ts";
import { MutableSegment } from "../../../src/index/segments/mutable-segment.ts";
import { MAX_SEGMENT_DOCS, seal, sealTurns } from "../../../src/index/segments/seal.ts";
import { Segment } from "../../../src/index/segments/segment.ts";
import { Keys } from "../../../src/workspace/keys.ts";
import { longestShare } from "../../support/longest-stretch.ts";
import { ramStores } from "../../support/stores.ts";

const SEGMENTS = 20;

/** A segment of as many chunks as one may have. */
async function fullSegment(): Promise<Segment> {
  const { documents, lists, vectors } = new MutableSegment().source;
  const rows = MAX_SEGMENT_DOCS;
  const numbers = Uint32Array.from({ length: rows }, (_, row) => row);
  const columns = {
    node: Int32Array.from(numbers),
    generation: new Uint32Array(rows).fill(1),
    level: new Uint8Array(rows),
    length: new Float32Array(rows),
    start: numbers,
    end: numbers,
    doc: numbers,
    next: new Int32Array(rows).fill(-1),
  };
  const source = { documents: Object.assign(documents, columns, { rows }), lists, vectors };
  return Segment.open(await seal([source], () => true, sealTurns()), sealTurns());
}

it("looking for what to merge yields, however many chunks a user has", async () => {
  const segment = await fullSegment();
  const files = { documents: "", terms: "", vectors: {} };
  const segments = Array.from(
    { length: SEGMENTS },
    (): SealedSegment => ({
      record: { files, docs: segment.count, first: 0, last: segment.count - 1 },
      segment,
      checked: 0,
      isIndexed: true,
      builds: 0,
    }),
  );
  const { kv, blobs } = ramStores();
  const generations = new Uint32Array(MAX_SEGMENT_DOCS).fill(1);
  const partition: Compactable = {
    home: {
      kv,
      keys: new Keys(workspaceId(1)),
      folder: { files: blobs, bucket: "1" },
      stores: {
        files: blobs,
        spaces: [],
        sealDocs: 5,
        cache: new IndexCache(2 ** 30),
        executor: new SerialExecutor(() => undefined),
        report: () => undefined,
      },
      isCurrent: (node, generation) => generations[node] === generation,
      isClosed: () => false,
      isDeleted: () => false,
    },
    number: 1,
    reserved: new ReservedRanges(),
    loaded: { segments, frozen: [], mutable: new MutableSegment() },
    lateVectors: undefined,
    forget: () => undefined,
  };
  expect(await longestShare(() => compact(partition, new AbortController().signal))).toBeLessThan(0.5);
});
