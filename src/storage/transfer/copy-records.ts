import type { WorkspaceId } from "../../domain/ids.ts";
import type { Pair } from "../backup/packed-records.ts";
import type { KvOp } from "../kv.ts";
import type { Conversion, RecordsPlace } from "./records-place.ts";

/** Maximum number of records and bytes of values per write. */
const BATCH_RECORDS = 5000;
const BATCH_BYTES = 1024 * 1024;

/**
 * Makes the records of a workspace in `to` equal to those in `from`, whatever an earlier attempt left there,
 * and compares both again. Returns their number. Rejects with an Error if they still differ.
 */
export async function copyRecords(
  from: RecordsPlace,
  to: RecordsPlace,
  workspace: WorkspaceId,
  convert: Conversion,
): Promise<number> {
  const wanted = () => convert(workspace, from.records(workspace));
  let batch: KvOp[] = [];
  let bytes = 0;
  for await (const op of differences(wanted(), to.records(workspace))) {
    batch.push(op);
    bytes += op.value?.byteLength ?? 0;
    if (batch.length < BATCH_RECORDS && bytes < BATCH_BYTES) continue;
    await to.write(workspace, batch);
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) await to.write(workspace, batch);
  let records = 0;
  for await (const { key } of differences(
    counted(wanted(), (more) => (records += more)),
    to.records(workspace),
  ))
    throw new Error(`the record ${key} differs from its copy`);
  return records;
}

/** Operations that turn the found records into the wanted ones. Both are in key order. */
export async function* differences(
  wanted: AsyncIterable<readonly Pair[]>,
  found: AsyncIterable<readonly Pair[]>,
): AsyncGenerator<KvOp> {
  const [left, right] = [pairsOf(wanted), pairsOf(found)];
  try {
    let [want, have] = [await left.next(), await right.next()];
    while (!want.done || !have.done) {
      const order = want.done ? 1 : have.done ? -1 : inOrder(want.value[0], have.value[0]);
      if (order > 0 && !have.done) yield { key: have.value[0], value: undefined };
      else if (!want.done && (order < 0 || (!have.done && !isSame(want.value[1], have.value[1]))))
        yield { key: want.value[0], value: want.value[1] };
      if (order <= 0) want = await left.next();
      if (order >= 0) have = await right.next();
    }
  } finally {
    await left.return(undefined);
    await right.return(undefined);
  }
}

async function* pairsOf(pages: AsyncIterable<readonly Pair[]>): AsyncGenerator<Pair, undefined> {
  for await (const page of pages) yield* page;
  return undefined;
}

async function* counted(pages: AsyncIterable<Pair[]>, add: (more: number) => void): AsyncGenerator<Pair[]> {
  for await (const page of pages) {
    add(page.length);
    yield page;
  }
}

/** By the UTF-8 bytes of the keys; JavaScript compares strings with surrogates differently. */
const inOrder = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
