import { type IndexFolder, readColumns, removeFiles, writeColumns } from "../index/segments/segment-files.ts";
import type { Kv } from "../storage/kv.ts";
import { encodeRecord } from "../storage/record-codec.ts";
import type { Keys } from "./keys.ts";
import { CHECKPOINTS, type Checkpoint } from "./records.ts";
import { NODE_COLUMNS, type NodeTable } from "./tree/node-table.ts";

/** Minimum number of nodes for a checkpoint; a smaller table loads as fast from its records. */
export const CHECKPOINT_NODES = 4096;

/** A file whose columns differ has another kind: the table is then loaded from its records. */
const KIND = "nodes-2";

interface Place {
  readonly kv: Kv;
  readonly keys: Keys;
  readonly folder: IndexFolder;
}

export const checkpointOf = ({ kv, keys }: Pick<Place, "kv" | "keys">): Checkpoint | undefined =>
  CHECKPOINTS.read(kv, keys.checkpoint());

/**
 * Writes the current table and removes the previous checkpoint's file. `sequence`: see Checkpoint; `decided`
 * may reject the record. Keeps a newer checkpoint that was written meanwhile, because the journal records
 * before that one are gone.
 */
export async function writeCheckpoint(
  { kv, keys, folder }: Place,
  table: NodeTable,
  sequence: number,
  decided: () => void,
): Promise<void> {
  const file = await writeColumns(folder, KIND, NODE_COLUMNS, table.snapshot());
  const written: Checkpoint = { file, sequence };
  const [kept, unused] = await kv.transact((read) => {
    decided();
    const found = CHECKPOINTS.read(read, keys.checkpoint());
    if (found && found.sequence > sequence) return { ops: [], apply: () => [found, written] };
    return {
      ops: [{ key: keys.checkpoint(), value: encodeRecord(written) }],
      apply: () => [written, found],
    };
  });
  if (unused && unused.file !== kept?.file) await removeFiles(folder, [unused.file]);
}

/** Fills the empty table. Throws Error if the file is missing or damaged. */
export async function readCheckpoint(
  { folder }: Place,
  table: NodeTable,
  { file }: Checkpoint,
): Promise<void> {
  table.restore(await readColumns(folder, file, KIND, NODE_COLUMNS));
}
