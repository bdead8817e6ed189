import { join } from "node:path";
import { sha256 } from "../../src/base/sha256.ts";
import type { Directory } from "../../src/storage/account-directory.ts";
import type { Blobs } from "../../src/storage/blobs.ts";
import { KvDirectory } from "../../src/storage/embedded/kv-directory.ts";
import { KvFacts } from "../../src/storage/embedded/kv-facts.ts";
import type { Kv } from "../../src/storage/kv.ts";
import { LevelFile } from "../../src/storage/level/level-file.ts";
import { openStorage } from "../../src/storage/open.ts";
import { openShared } from "../../src/storage/postgres/open.ts";
import { RamBlobs } from "../../src/storage/ram/ram-blobs.ts";
import { RamKv } from "../../src/storage/ram/ram-kv.ts";
import type { ServerFacts } from "../../src/storage/server-facts.ts";
import type { Stores as OwnedStores } from "../../src/storage/stores.ts";
import type { UploadBytes } from "../../src/workspace/requests/uploads.ts";
import { newSharedDatabase, onCluster } from "./shared-database.ts";
import { silentLog } from "./silent-log.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const LEASE_MS = 60_000;

/** What survives a process: the stores and the clock. */
export interface Stores {
  readonly kv: Kv;
  readonly facts: ServerFacts;
  readonly directory: Directory;
  readonly blobs: Blobs;
  /** Files of sealed index segments and checkpoints. */
  readonly index: Blobs;
  readonly bytes: UploadBytes;
  readonly clock: { now: number };
  /** Decides which server owns which workspace. If missing, whoever opens the stores owns all. */
  readonly owned?: OwnedStores;
  readonly close: () => Promise<void>;
}

export function ramStores(kv: Kv = new RamKv()): Stores {
  const clock = { now: 1_700_000_000_000 };
  const blobs = () => new RamBlobs(() => clock.now);
  const own = { kv, facts: new KvFacts(kv), directory: new KvDirectory(kv) };
  return {
    ...own,
    blobs: blobs(),
    index: blobs(),
    bytes: new RamBytes(),
    clock,
    close: () => kv.close(),
  };
}

/** LevelDB and files in a temporary folder. */
export async function levelStores(): Promise<Stores> {
  const folder = await temporaryFolder();
  const clock = { now: 1_700_000_000_000 };
  const storage = await openStorage({ dataDir: folder.path, log: silentLog, clock: () => clock.now });
  const { kv } = storage;
  const own = { facts: new KvFacts(kv), directory: new KvDirectory(kv) };
  const close = () => storage.close().then(folder.remove);
  return { ...storage, ...own, bytes: storage.spool, clock, close };
}

/** Two servers on one PostgreSQL store, each with its own local copy; files are in memory. */
export async function sharedStores(url: string): Promise<readonly [Stores, Stores]> {
  const files = ramStores();
  return [await memberOf(url, files), await memberOf(url, files)];
}

/** A server on a PostgreSQL database of its own, with a local copy; files are in memory. */
async function databaseStores(): Promise<Stores> {
  const { url, drop } = await newSharedDatabase();
  const stores = await memberOf(url, ramStores());
  return { ...stores, close: () => stores.close().then(drop) };
}

async function memberOf(url: string, files: Omit<Stores, "owned">): Promise<Stores> {
  const folder = await temporaryFolder();
  const { stores, close } = await openShared({
    url,
    memberUrl: folder.path,
    leaseMs: LEASE_MS,
    copy: await LevelFile.open(join(folder.path, "copy"), silentLog),
    clock: Date.now,
    log: silentLog,
  });
  const { kv, facts, directory } = stores;
  return { ...files, kv, facts, directory, owned: stores, close: () => close().then(folder.remove) };
}

/** Empty stores: in memory, and with TEST_CLUSTER=1 in PostgreSQL. */
export const newStores = async (): Promise<Stores> => (onCluster ? databaseStores() : ramStores());

class RamBytes implements UploadBytes {
  readonly #files = new Map<string, Uint8Array>();

  async write(id: string, content: AsyncIterable<Uint8Array>): Promise<{ size: number; sha256: string }> {
    const parts: Uint8Array[] = [];
    for await (const part of content) parts.push(part);
    this.#files.set(id, Buffer.concat(parts));
    return { size: this.#files.get(id)!.byteLength, sha256: sha256(this.#files.get(id)!) };
  }

  async read(id: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const bytes = this.#files.get(id);
    return (
      bytes &&
      (async function* () {
        yield bytes;
      })()
    );
  }

  async path(): Promise<undefined> {
    return undefined;
  }

  async remove(id: string): Promise<void> {
    this.#files.delete(id);
  }

  async *list(): AsyncIterable<string> {
    yield* [...this.#files.keys()];
  }
}

/** The stores with which a suite is run. */
export const STORES: readonly [name: string, open: () => Stores | Promise<Stores>][] = onCluster
  ? [["PostgreSQL", databaseStores]]
  : [
      ["memory", ramStores],
      ["LevelDB", levelStores],
    ];
