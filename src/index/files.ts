import { prefixRange } from "../storage/kv.ts";
import { NUMBERS } from "../storage/record-codec.ts";
import { manifestOf } from "./manifest.ts";
import type { IndexContext } from "./owner-segments.ts";
import { namesOf, removeFiles } from "./segments/segment-files.ts";

/** Files that the manifests of a workspace refer to. Partitions with the same texts share files. */
async function namedFiles({ kv, keys }: IndexContext): Promise<Set<string>> {
  const manifests = await kv.range(prefixRange(keys.allManifests()));
  return new Set(
    manifests.flatMap(([, value]) => manifestOf(value).segments.flatMap(({ files }) => namesOf(files))),
  );
}

/** Deletes those of the files that no manifest refers to. */
export async function removeUnnamed(home: IndexContext, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const named = await namedFiles(home);
  await removeFiles(
    home.folder,
    files.filter((file) => !named.has(file)),
  );
}

/**
 * Deletes files that no manifest refers to, except `kept`: leftovers of a killed process. Call only before
 * the first search.
 */
export async function sweepFiles(home: IndexContext, kept: Iterable<string>): Promise<void> {
  const { files, bucket } = home.folder;
  const found: string[] = [];
  for await (const { hash } of files.list(bucket)) found.push(hash);
  const spared = new Set(kept);
  await removeUnnamed(
    home,
    found.filter((name) => !spared.has(name)),
  );
}

/**
 * Removes a partition's manifest, then its files, and its counter if it has no chunks. Chunks moved to other
 * owners stay and are read from their records. Call only in the executor, when no seal or merge is running.
 * Idempotent; files left by a killed process are deleted at the next start.
 */
export async function retirePartition(
  home: IndexContext,
  partition: number,
  onGone: (isEmpty: boolean) => void,
): Promise<void> {
  const { kv, keys } = home;
  const isEmpty = await hasNoChunk(home, partition);
  const gone = [keys.manifest(partition), ...(isEmpty ? [keys.counter(`doc-${partition}`)] : [])];
  const unused = await kv.transact((read) => {
    const { segments } = manifestOf(read.get(keys.manifest(partition)));
    return {
      ops: gone.map((key) => ({ key, value: undefined })),
      apply: () => {
        onGone(isEmpty);
        return segments.flatMap(({ files }) => namesOf(files));
      },
    };
  });
  await removeUnnamed(home, unused);
}

/** Whether a partition is empty and its owner no longer exists. */
export async function isOrphan(home: IndexContext, partition: number): Promise<boolean> {
  if (!(await hasNoChunk(home, partition))) return false;
  const owned = await home.kv.range(prefixRange(home.keys.allPartitions()));
  return !owned.some(([key, value]) => NUMBERS.decode(value, key) === partition);
}

const hasNoChunk = async ({ kv, keys }: IndexContext, partition: number): Promise<boolean> =>
  (await kv.keys(prefixRange(keys.chunks(partition), 1))).length === 0;
