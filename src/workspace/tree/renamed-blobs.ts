import type { WorkspaceId } from "../../domain/ids.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { Keys } from "../keys.ts";
import { BLOBS, type BlobRecord, STORED_BYTES } from "../records.ts";
import { blobNamedBy, namingBlob } from "./contents.ts";
import { storedBytes } from "./stored-bytes.ts";

type Pair = [key: string, value: Uint8Array];

/**
 * Yields the records of a workspace in key order, with its blobs renamed. Blobs that get the same name share
 * one reference count. The record of the stored bytes comes last, because its key sorts after all renamed
 * records.
 */
export async function* renamedBlobs(
  workspace: WorkspaceId,
  pages: AsyncIterable<Pair[]>,
  rename: (blob: string) => string,
): AsyncGenerator<Pair[]> {
  const keys = new Keys(workspace);
  const blobs = keys.allBlobs();
  const stored = keys.counter("stored");
  let growth = 0;
  let waiting: { readonly key: string; readonly record: BlobRecord } | undefined;
  const add = (key: string, value: Uint8Array, sign: 1 | -1) => {
    growth += sign * storedBytes(keys, key, value);
  };
  const end = (): Pair[] => {
    if (!waiting) return [];
    const pair: Pair = [waiting.key, encodeRecord(waiting.record)];
    waiting = undefined;
    add(...pair, 1);
    return [pair];
  };
  const converted = ([key, value]: Pair): Pair[] => {
    if (key.startsWith(blobs)) {
      add(key, value, -1);
      const next = blobs + rename(key.slice(blobs.length));
      const record = BLOBS.decode(value, key);
      if (waiting?.key === next) {
        waiting = { key: next, record: together(waiting.record, record) };
        return [];
      }
      const before = end();
      waiting = { key: next, record };
      return before;
    }
    const blob = key.startsWith(keys.allContents()) ? blobNamedBy(value) : undefined;
    if (blob !== undefined) {
      add(key, value, -1);
      const named = namingBlob(rename(blob));
      add(key, named, 1);
      return [...end(), [key, named]];
    }
    if (key !== stored) return [...end(), [key, value]];
    const last = end();
    const count = STORED_BYTES.decode(value, key);
    return [...last, [key, encodeRecord({ ...count, bytes: count.bytes + growth })]];
  };
  for await (const page of pages) yield page.flatMap(converted);
  yield end();
}

function together(a: BlobRecord, b: BlobRecord): BlobRecord {
  const references = a.references + b.references;
  const freedAt = Math.max(a.freedAt ?? 0, b.freedAt ?? 0);
  return { references, bytes: a.bytes, ...(references === 0 && freedAt > 0 && { freedAt }) };
}
