import { Registry } from "../accounts/registry.ts";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { Lane } from "../base/serial-executor.ts";
import { EMBED_NODES, type EmbedNodes, PURGE, type Purge } from "../domain/job.ts";
import { UriCodec } from "../domain/uri.ts";
import { IndexCache } from "../index/cache.ts";
import { JobQueue } from "../jobs/queue.ts";
import { Tenants } from "../service/tenants.ts";
import { openStorage } from "../storage/open.ts";
import { verify } from "../workspace/verify/verify.ts";

const SEAL_DOCS = 8192;
const CACHE_BYTES = 2 ** 30;

/**
 * Opens the data directory of a server that has ended and recomputes every table of the accounts; what disagrees, in words. `onAccount` hears of each account
 * before it is looked at. Rejects with a StartError where the directory cannot be opened.
 */
export async function verifyFolder(
  dataDir: string,
  { log, now, onAccount = () => undefined }: { readonly log: Log; readonly now: Clock; readonly onAccount?: (account: string) => void },
): Promise<string[]> {
  // one moment for all, so that a blob does not come of age between the sweep and the look
  const moment = now();
  const clock = () => moment;
  const storage = await openStorage({ dataDir, log, clock });
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
    // those that were only written to as well: without keys nothing else is there
    for (const incarnation of await registry.incarnations()) {
      const account = registry.accountOf(incarnation)?.account ?? String(incarnation);
      onAccount(account);
      const workspace = await tenants.ofIncarnation(incarnation);
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
