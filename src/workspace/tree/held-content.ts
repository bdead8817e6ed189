import type { Entry } from "../../domain/node.ts";
import type { KvReader } from "../../storage/kv.ts";
import type { Workspace } from "../workspace.ts";

/** A whole file; call `release` when the bytes are no longer used. */
export interface HeldContent {
  readonly bytes: Uint8Array;
  readonly release: () => void;
}

/**
 * Reads a whole file for a job, once there is memory for it. Undefined if it was removed or replaced meanwhile.
 * `reader`: the snapshot, for an older entry.
 */
export async function holdContent(
  { contents, contentMemory, incarnation, kv }: Workspace,
  entry: Entry,
  signal: AbortSignal,
  reader: KvReader = kv,
): Promise<HeldContent | undefined> {
  const release = await contentMemory.reserve(incarnation, entry.size, signal);
  try {
    if (contents.has(entry, reader)) return { bytes: await contents.read(entry, reader), release };
  } catch (error) {
    release();
    throw error;
  }
  release();
  return undefined;
}
