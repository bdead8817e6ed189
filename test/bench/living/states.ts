import { join } from "node:path";
import { pairPages, prefixRange } from "../../../src/storage/kv.ts";
import { openStorage } from "../../../src/storage/open.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { Api } from "../harness/api.ts";
import { Corpus } from "../harness/corpus.ts";
import { type Figure, median, ms } from "../harness/figure.ts";
import { startServer } from "../harness/server.ts";
import { sourceFolder } from "../harness/source-folder.ts";
import { timed } from "../harness/timed.ts";

const FILES = 100_000;
/** Files that are imported; the others are copies of them. */
const IMPORTED = 5000;
const FILES_PER_DIRECTORY = 100;
const WORDS = 8;
const WAIT_SECONDS = 600;
const SNAPSHOTS = 20;
const MOST_SNAPSHOT_MS = 50;
const MOST_SNAPSHOT_BYTES = 1000;
const VERSIONED = 20;
/** Fewer than are kept, so that none is removed meanwhile. */
const VERSIONS = 40;
const MOST_VERSION_BYTES = 100;
const VERSION_KEY = /^w\/\w+\/y\//;
const PAGE = 1000;
/** Contents up to 16 KiB are in the store, larger ones in files. */
const SMALL_WORDS = 100;
const LARGE_WORDS = 4000;

/** Time and stored bytes of snapshots and versions. */
export async function states(quick: boolean): Promise<Figure[]> {
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, "data");
  const server = await startServer({ dataDir });
  const corpus = new Corpus();
  try {
    const api = await Api.open(server.port);
    const files = await fill(api, corpus, quick);
    const figures = [
      ...(await snapshots(api, files, quick)),
      await versions(api, corpus, "small", SMALL_WORDS, quick),
      await versions(api, corpus, "large", LARGE_WORDS, quick),
    ];
    api.close();
    await server.stop();
    return [...figures, await versionRecords(dataDir)];
  } finally {
    await server.stop();
    await folder.remove();
  }
}

/** Returns the number of files below `ctx://resources/many`. */
async function fill(api: Api, corpus: Corpus, quick: boolean): Promise<number> {
  const [imported, copies] = quick ? [200, 2] : [IMPORTED, FILES / IMPORTED];
  const texts = Array.from({ length: imported }, () => corpus.text(WORDS));
  const folder = await sourceFolder(texts, FILES_PER_DIRECTORY);
  const to = "ctx://resources/many/0";
  await api.post("/api/v1/resources", { path: folder.path, to, wait: true, timeout: WAIT_SECONDS });
  await folder.remove();
  for (let copy = 1; copy < copies; copy++)
    await api.post("/api/v1/fs/cp", {
      from_uri: to,
      to_uri: `ctx://resources/many/${copy}`,
      wait: true,
      timeout: WAIT_SECONDS,
    });
  return imported * copies;
}

async function snapshots(api: Api, files: number, quick: boolean): Promise<Figure[]> {
  const count = quick ? 3 : SNAPSHOTS;
  const before = await storedBytes(api);
  const times: number[] = [];
  for (let i = 0; i < count; i++)
    times.push(
      await timed(() => api.post("/api/v1/snapshots", { name: `s${i}`, uri: "ctx://resources/many" })),
    );
  const bytes = ((await storedBytes(api)) - before) / count;
  const what = `snapshot of ${files.toLocaleString("en-US")} files`;
  // the smallest other commit, which waits for the same disk
  const folders: number[] = [];
  for (let i = 0; i < count; i++)
    folders.push(await timed(() => api.post("/api/v1/fs/mkdir", { uri: `ctx://resources/empty${i}` })));
  return [
    {
      what,
      measured: said(times),
      beside: `mkdir: ${said(folders)}`,
      ratio: median(times) / median(folders),
      expected: `median ≤ ${MOST_SNAPSHOT_MS} ms`,
      met: median(times) <= MOST_SNAPSHOT_MS,
    },
    {
      what: `${what}, key and record`,
      measured: `${bytes.toFixed(0)} bytes`,
      expected: `≤ ${MOST_SNAPSHOT_BYTES} bytes`,
      met: bytes <= MOST_SNAPSHOT_BYTES,
    },
  ];
}

const said = (times: readonly number[]): string =>
  `median ${ms(median(times))}, longest ${ms(Math.max(...times))}`;

async function versions(
  api: Api,
  corpus: Corpus,
  kind: "small" | "large",
  words: number,
  quick: boolean,
): Promise<Figure> {
  const [files, count] = quick ? [2, 5] : [VERSIONED, VERSIONS];
  const uris = Array.from({ length: files }, (_, i) => `ctx://resources/versions/${kind}${i}.txt`);
  const put = async (uri: string, mode: string): Promise<number> => {
    const content = corpus.text(words);
    await api.post("/api/v1/content/write", { uri, content, mode });
    return Buffer.byteLength(content);
  };
  for (const uri of uris) await put(uri, "create");
  await settled(api);
  const before = await storedBytes(api);
  let contents = 0;
  for (const uri of uris)
    for (let version = 0; version < count; version++) contents += await put(uri, "replace");
  await settled(api);
  const bytes = ((await storedBytes(api)) - before - contents) / (files * count);
  return {
    what: `a version of ${words} words, with the records of its content`,
    measured: `${bytes.toFixed(1)} bytes`,
  };
}

/** What a version adds to its content, which the file had before with the same records. */
async function versionRecords(dataDir: string): Promise<Figure> {
  const { kv, close } = await openStorage({ dataDir, log: silentLog, clock: Date.now });
  let [count, bytes] = [0, 0];
  try {
    for await (const page of pairPages(kv, { ...prefixRange("w/"), limit: PAGE }))
      for (const [key, value] of page) {
        if (!VERSION_KEY.test(key)) continue;
        count++;
        bytes += Buffer.byteLength(key) + value.byteLength;
      }
  } finally {
    await close();
  }
  return {
    what: "  beside its content: the record of a version",
    measured: `${(bytes / count).toFixed(1)} bytes, mean of ${count.toLocaleString("en-US")}`,
    expected: `≤ ${MOST_VERSION_BYTES} bytes`,
    met: bytes / count <= MOST_VERSION_BYTES,
  };
}

const settled = (api: Api): Promise<unknown> => api.post("/api/v1/system/wait", { timeout: WAIT_SECONDS });

async function storedBytes(api: Api): Promise<number> {
  const { resources } = await api.get<{ resources: { resource: string; used: number }[] }>(
    "/api/v1/system/usage",
  );
  const found = resources.find(({ resource }) => resource === "stored_bytes");
  if (!found) throw new Error("the usage has no stored bytes");
  return found.used;
}
