import { openCore } from "../app/core.ts";
import { append } from "../base/append.ts";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { EMBED_NODES, PURGE, payloadOf } from "../domain/job.ts";
import { openStorage } from "../storage/open.ts";
import { verify } from "../workspace/verify/verify.ts";

/**
 * Opens the data directory of a server that has ended and recomputes every table of the accounts; what
 * disagrees, in words. `onAccount` hears of each account before it is looked at. Rejects with a StartError
 * where the directory cannot be opened.
 */
export async function verifyFolder(
  dataDir: string,
  {
    log,
    now,
    onAccount = () => undefined,
  }: { readonly log: Log; readonly now: Clock; readonly onAccount?: (account: string) => void },
): Promise<string[]> {
  // one moment for all, so that a blob does not come of age between the sweep and the look
  const moment = now();
  const clock = () => moment;
  const storage = await openStorage({ dataDir, log, clock, mayMigrate: false });
  try {
    const report = (what: string, error: unknown) => {
      throw new Error(`${what} failed`, { cause: error });
    };
    const { spool: uploadBytes, index: indexFiles } = storage;
    const { registry, queue, tenants } = await openCore({
      ...storage,
      indexFiles,
      uploadBytes,
      clock,
      report,
    });
    const purges = [...queue.jobs()].filter(({ kind }) => kind === PURGE);
    const purging = new Set(purges.flatMap((job) => payloadOf(job, PURGE).removed.map(({ node }) => node)));
    const embeddings = [...queue.jobs()].filter(({ kind }) => kind === EMBED_NODES);
    const unembedded = new Set(embeddings.flatMap((job) => payloadOf(job, EMBED_NODES).nodes));
    const said: string[] = [];
    // those that were only written to as well: without keys nothing else is there
    for (const incarnation of await registry.incarnations()) {
      const account = registry.accountOf(incarnation)?.account ?? String(incarnation);
      onAccount(account);
      const workspace = await tenants.ofIncarnation(incarnation);
      // what a kill left between the writing of a blob and the change that names it, or between the end of
      // the record and of the file
      await workspace?.contents.sweep();
      const findings = workspace ? await verify(workspace, purging, unembedded) : [];
      append(
        said,
        findings.map(({ kind, subject, fault }) => `${account}: ${kind} ${subject}: ${fault}`),
      );
    }
    return said;
  } finally {
    await storage.close();
  }
}
