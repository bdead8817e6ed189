import { Registry } from "../../src/accounts/registry.ts";
import { EMBED_NODES, type EmbedNodes, PURGE, type Purge } from "../../src/domain/job.ts";
import { UriCodec } from "../../src/domain/uri.ts";
import { JobQueue } from "../../src/jobs/queue.ts";
import { Tenants } from "../../src/service/tenants.ts";
import { openStorage } from "../../src/storage/open.ts";
import { IndexCache } from "../../src/workspace/index-cache.ts";
import { Lane } from "../../src/workspace/lane.ts";
import { verify } from "../../src/workspace/verify.ts";
import { silentLog } from "../support/silent-log.ts";

const SEAL_DOCS = 8192;
const CACHE_BYTES = 2 ** 30;

/** Opens the data directory of a server that has ended and recomputes every table of the accounts; what disagrees, in words. */
export async function verifyFolder(dataDir: string): Promise<string[]> {
  // one moment for all, so that a blob does not come of age between the sweep and the look
  const now = Date.now();
  const clock = () => now;
  const storage = await openStorage({ dataDir, log: silentLog, clock });
  try {
    const registry = new Registry(storage.kv, clock, false);
    const queue = await JobQueue.open(storage.kv, clock);
    const failed = (what: string, error: unknown) => {
      throw new Error(`${what} failed`, { cause: error });
    };
    const lane = new Lane((error) => failed("upkeep of the index", error));
    const index = { files: storage.index, spaces: [], sealDocs: SEAL_DOCS, cache: new IndexCache(CACHE_BYTES), lane, report: failed };
    const uris = new UriCodec("ctx", []);
    const tenants = new Tenants(registry, { ...storage, index, clock, uris, onBlobFreed: () => undefined }, "user");
    const purges = [...queue.jobs()].filter(({ kind }) => kind === PURGE);
    const purging = new Set(purges.flatMap((job) => (job.payload as Purge).removed.map(({ node }) => node)));
    const embeddings = [...queue.jobs()].filter(({ kind }) => kind === EMBED_NODES);
    const unembedded = new Set(embeddings.flatMap((job) => (job.payload as EmbedNodes).nodes));
    const said: string[] = [];
    for (const { account } of await registry.listAccounts()) {
      const workspace = await tenants.ofAccount(account);
      // what a kill left between the writing of a blob and the change that names it, or between the end of the record and of the file
      await workspace?.contents.sweep();
      const findings = workspace ? await verify(workspace, purging, unembedded) : [];
      said.push(...findings.map(({ kind, subject, fault }) => `${account}: ${kind} ${subject}: ${fault}`));
    }
    return said;
  } finally {
    await storage.close();
  }
}
