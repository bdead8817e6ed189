import { realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { sha256 } from "../base/sha256.ts";
import { StartError } from "../base/start-error.ts";
import type { ObjectsConfig, StoreConfig } from "../config/shared-store.ts";
import { ServiceError } from "../domain/errors.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { LAST_INCARNATION } from "../storage/account-directory.ts";
import { isLostBlob } from "../storage/blobs.ts";
import { beginFolder, finishFolder } from "../storage/disk/data-folder.ts";
import { DiskBlobs } from "../storage/disk/disk-blobs.ts";
import { FACTS } from "../storage/key-owner.ts";
import { type Kv, pairPages, prefixRange } from "../storage/kv.ts";
import { LevelKv } from "../storage/level/level-kv.ts";
import { ProcessLock } from "../storage/level/process-lock.ts";
import { openStorage } from "../storage/open.ts";
import { StoreRecords } from "../storage/postgres/store-records.ts";
import { encodeRecord, NUMBERS } from "../storage/record-codec.ts";
import { S3Client } from "../storage/s3/s3-client.ts";
import type { S3Content } from "../storage/s3/s3-request.ts";
import { copyRecords } from "../storage/transfer/copy-records.ts";
import { FolderRecords } from "../storage/transfer/folder-records.ts";
import type { RecordsPlace } from "../storage/transfer/records-place.ts";
import { Keys } from "../workspace/keys.ts";
import { BLOBS } from "../workspace/records.ts";
import { bucketOf, hashOfBlob } from "../workspace/tree/contents.ts";
import { renamedBlobs } from "../workspace/tree/renamed-blobs.ts";
import { FORWARDING, PLACE_OF_CONTENTS } from "./shared-storage.ts";
import { isTransient } from "./stores.ts";

/**
 * Turn in the names of imported objects (decision 37); the first server that takes a workspace gets the next
 * one.
 */
const TURN = 1;
/** Key of an imported object, without the prefix. */
const IMPORTED = new RegExp(`^[0-9a-z]+/[0-9a-f]{64}-${TURN.toString(36)}$`);
/** Maximum number of objects copied or removed concurrently. */
const AT_ONCE = 8;
const FACT_PAGE = 1000;
/** Server facts that are meaningless in a data directory. */
const OF_STORE: ReadonlySet<string> = new Set([PLACE_OF_CONTENTS, FORWARDING]);

export interface TransferOptions {
  readonly folder: string;
  readonly store: StoreConfig;
  readonly log: Log;
  readonly clock: Clock;
  /** Called with the number of finished workspaces and their total number. */
  readonly onProgress: (done: number, total: number) => void;
}

export interface Transferred {
  readonly workspaces: number;
  readonly records: number;
  readonly contents: number;
  /** Large contents that are missing or damaged at the source. */
  readonly lost: readonly string[];
}

/**
 * Copies an embedded data directory, which no server uses, to an empty store. If the process was killed,
 * another call copies only what is missing. No server can use the store until the import has finished.
 * Rejects with a StartError if the folder or the store cannot be used.
 */
export async function importStore(options: TransferOptions): Promise<Transferred> {
  const { folder, log, clock, store } = options;
  const storage = await openStorage({ dataDir: folder, log, clock, mayMigrate: false });
  const { kv, blobs } = storage;
  const copy = async (records: StoreRecords, objects: Objects): Promise<Transferred> => {
    const source = sha256(kv.get(`${FACTS}cursor`) ?? Buffer.from(await realpath(folder)));
    await records.beginImport(source, objects.url, () => objects.checkEmpty());
    const from = await FolderRecords.open(kv, isTransient);
    const workspaces = await from.workspaces();
    const facts = await factsOf(kv);
    const done = await copyAll(options, workspaces, {
      from,
      to: records,
      rename: (blob) => `${blob}-${TURN.toString(36)}`,
      copyBlob: async (bucket, blob, name, bytes) => {
        if (await objects.client.has(objects.key(bucket, name))) return true;
        if (!(await blobs.has(bucket, blob))) return false;
        let fault: unknown;
        const open: S3Content["open"] = (range) =>
          blobs.stream(bucket, blob, range?.start, range?.end).once("error", (error) => {
            fault = error;
          });
        try {
          await objects.client.put(objects.key(bucket, name), { open, bytes, sha256: blob });
          return true;
        } catch (error) {
          if (isLostBlob(fault)) return false;
          throw error;
        }
      },
    });
    await records.finishImport(
      workspaces,
      new Map([...facts, [PLACE_OF_CONTENTS, JSON.stringify(objects.url)]]),
      {
        turn: TURN,
        version: clock(),
        last: Math.max(NUMBERS.read(kv, LAST_INCARNATION) ?? 0, ...workspaces),
      },
    );
    return done;
  };
  try {
    return await withStore(store, log, copy);
  } finally {
    await storage.close();
  }
}

/**
 * Copies a store, which no server uses, to a new data directory. If the process was killed, another call
 * copies all records, but only the contents that are missing. Rejects with a StartError if the folder or the
 * store cannot be used.
 */
export async function exportStore(options: TransferOptions): Promise<Transferred> {
  const { folder, log, clock, store } = options;
  const copy = async (records: StoreRecords, objects: Objects): Promise<Transferred> => {
    await records.beginExport();
    const state = await records.state();
    const facts = await records.facts();
    objects.check(facts.get(PLACE_OF_CONTENTS));
    await beginFolder(folder, log);
    const lock = await ProcessLock.take(folder);
    let kv: Kv | undefined;
    try {
      await rm(join(folder, "kv"), { recursive: true, force: true });
      kv = await LevelKv.open(join(folder, "kv"), log);
      const blobs = await DiskBlobs.open(join(folder, "buckets"), clock);
      const done = await copyAll(options, await records.workspaces(), {
        from: records,
        to: await FolderRecords.open(kv, isTransient),
        rename: hashOfBlob,
        copyBlob: async (bucket, blob, name) => {
          if (await blobs.has(bucket, name)) return true;
          const answer = await objects.client.get(objects.key(bucket, blob));
          if (!answer) return false;
          try {
            const { hash } = await blobs.put(bucket, answer.message);
            // a damaged one is swept later: it may have the content of another blob, which is needed
            return hash === name;
          } finally {
            answer.end();
          }
        },
      });
      const own = [...facts].filter(([fact]) => !OF_STORE.has(fact));
      for (const [fact, value] of own) await put(kv, `${FACTS}${fact}`, Buffer.from(value));
      await put(kv, LAST_INCARNATION, encodeRecord(await records.lastIncarnation()));
      if ((await records.state()) !== state)
        throw new StartError("a server has used the store meanwhile: stop it, and export again");
      await kv.close();
      kv = undefined;
      await finishFolder(folder);
      return done;
    } finally {
      await kv?.close();
      await lock.release();
    }
  };
  return withStore(store, log, copy);
}

export interface Discarded {
  readonly records: number;
  readonly contents: number;
}

/**
 * Removes the objects and rows of an unfinished import. If the process was killed, another call removes the
 * rest. Rejects with a StartError if the store has no unfinished import.
 */
export async function discardImport({
  store,
  log,
  onProgress,
}: Pick<TransferOptions, "store" | "log" | "onProgress">): Promise<Discarded> {
  return withStore(store, log, async (records, objects) => {
    const bucket = await records.unfinishedImport();
    if (bucket !== objects.url)
      throw new StartError(
        bucket === undefined
          ? "an earlier version has begun the import: run it again to the end, or remove its objects and the schema ctxdb yourself"
          : `the unfinished import fills ${bucket}, not ${objects.url}: set CTXDB_OBJECTS`,
      );
    let [contents, rows] = [0, 0];
    // tables last, because they record which bucket the import fills
    await atOnce(objects.imported(), async (key) => {
      await objects.client.remove(key);
      onProgress(++contents, 0);
    });
    await records.discard((more) => {
      rows += more;
      onProgress(contents + rows, 0);
    });
    return { records: rows, contents };
  });
}

interface Direction {
  readonly from: RecordsPlace;
  readonly to: RecordsPlace;
  readonly rename: (blob: string) => string;
  /** Copies a blob unless the target has it; false if it is missing or damaged at the source. */
  readonly copyBlob: (bucket: string, blob: string, name: string, bytes: number) => Promise<boolean>;
}

async function copyAll(
  { onProgress }: Pick<TransferOptions, "onProgress">,
  workspaces: readonly WorkspaceId[],
  { from, to, rename, copyBlob }: Direction,
): Promise<Transferred> {
  let [records, contents] = [0, 0];
  const lost: string[] = [];
  const convert = (workspace: WorkspaceId, pages: AsyncIterable<[string, Uint8Array][]>) =>
    renamedBlobs(workspace, pages, rename);
  for (const [done, workspace] of workspaces.entries()) {
    onProgress(done, workspaces.length);
    const bucket = bucketOf(workspace);
    // contents first, so that no record refers to missing content
    await atOnce(referenced(from, workspace), async ({ blob, bytes }) => {
      if (await copyBlob(bucket, blob, rename(blob), bytes)) contents++;
      else lost.push(`${bucket} ${blob}`);
    });
    records += await copyRecords(from, to, workspace, convert);
  }
  onProgress(workspaces.length, workspaces.length);
  return { workspaces: workspaces.filter((workspace) => workspace > 0).length, records, contents, lost };
}

async function* referenced(from: RecordsPlace, workspace: WorkspaceId) {
  const prefix = new Keys(workspace).allBlobs();
  for await (const page of from.records(workspace, prefix))
    for (const [key, value] of page) {
      const { references, bytes } = BLOBS.decode(value, key);
      if (references > 0) yield { blob: key.slice(prefix.length), bytes };
    }
}

async function atOnce<T>(items: AsyncIterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>();
  try {
    for await (const item of items) {
      const one = work(item).finally(() => running.delete(one));
      running.add(one);
      if (running.size >= AT_ONCE) await Promise.race(running);
    }
    await Promise.all(running);
  } finally {
    await Promise.allSettled(running);
  }
}

async function factsOf(kv: Kv): Promise<ReadonlyMap<string, string>> {
  const facts = new Map<string, string>();
  for await (const page of pairPages(kv, prefixRange(FACTS, FACT_PAGE)))
    for (const [key, value] of page) facts.set(key.slice(FACTS.length), Buffer.from(value).toString());
  return facts;
}

const put = (kv: Kv, key: string, value: Uint8Array): Promise<void> =>
  kv.transact(() => ({ ops: [{ key, value }], apply: () => undefined }));

/** The bucket of a store. */
class Objects {
  readonly client: S3Client;
  readonly url: string;
  readonly #prefix: string;

  constructor(objects: ObjectsConfig, log: Log) {
    this.client = new S3Client({ ...objects, log });
    this.url = objects.url;
    this.#prefix = objects.prefix;
  }

  key(bucket: string, blob: string): string {
    return `${this.#prefix}${bucket}/${blob}`;
  }

  /** Throws a StartError if the prefix has objects, because a sweep of the new store would remove them. */
  async checkEmpty(): Promise<void> {
    for await (const { objects } of this.client.list(this.#prefix)) {
      if (objects.length > 0)
        throw new StartError(`${this.url} has objects already: set CTXDB_OBJECTS to an empty prefix`);
      return;
    }
  }

  /** Keys of the objects that an import has written, without any others. */
  async *imported(): AsyncGenerator<string> {
    for await (const { objects } of this.client.list(this.#prefix))
      for (const { key } of objects) if (IMPORTED.test(key.slice(this.#prefix.length))) yield key;
  }

  /** Throws a StartError if the store has its contents elsewhere. `place`: their location, as JSON. */
  check(place: string | undefined): void {
    if (place !== undefined && place !== JSON.stringify(this.url))
      throw new StartError(
        `the large contents of the store are in ${place}, not in ${this.url}: set CTXDB_OBJECTS`,
      );
  }
}

async function withStore<T>(
  { url, objects: config }: StoreConfig,
  log: Log,
  work: (records: StoreRecords, objects: Objects) => Promise<T>,
): Promise<T> {
  if (!config)
    throw new StartError(
      "CTXDB_OBJECTS is not set: large contents are moved only to and from an object store",
    );
  const records = new StoreRecords(url, log);
  const objects = new Objects(config, log);
  try {
    const fault = await objects.client.fault();
    if (fault !== undefined) throw new StartError(`CTXDB_OBJECTS cannot be used: ${fault}`);
    return await work(records, objects);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const fault = records.fault;
    throw new StartError(
      `the store does not answer${fault instanceof Error ? `: ${fault.message}` : ""}; run the same command again`,
      error,
    );
  } finally {
    objects.client.close();
    await records.close();
  }
}
