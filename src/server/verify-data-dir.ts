import { openCore } from "../app/core.ts";
import { append } from "../base/append.ts";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { EMBED_NODES, PURGE, payloadOf } from "../domain/job.ts";
import { openStorage } from "../storage/open.ts";
import { verify } from "../workspace/verify/verify.ts";

/**
 * Opens the data directory of a stopped server, recomputes every table of the accounts and returns the
 * differences as text. Calls `onAccount` before each account. Rejects with a StartError if the directory
 * cannot be opened.
 */
export async function verifyFolder(
  dataDir: string,
  {
    log,
    now,
    onAccount = () => undefined,
  }: { readonly log: Log; readonly now: Clock; readonly onAccount?: (name: string) => void },
): Promise<string[]> {
  // a fixed clock, so that no blob expires between sweep and check
  const moment = now();
  const clock = () => moment;
  const storage = await openStorage({ dataDir, log, clock, mayMigrate: false });
  try {
    const report = (what: string, error: unknown) => {
      throw new Error(`${what} failed`, { cause: error });
    };
    const { spool: uploadBytes, index: indexFiles } = storage;
    const { registry, queue, tenants } = openCore({
      ...storage,
      indexFiles,
      uploadBytes,
      clock,
      report,
    });
    const nothing = async () => undefined;
    const adopt = (of: WorkspaceId | "everything") => queue.adopt(of);
    await storage.stores.start({ adopt, resume: nothing, leave: nothing, drop: () => undefined });
    const purges = [...queue.jobs()].filter(({ kind }) => kind === PURGE);
    const purging = new Set(purges.flatMap((job) => payloadOf(job, PURGE).removed.map(({ node }) => node)));
    const embeddings = [...queue.jobs()].filter(({ kind }) => kind === EMBED_NODES);
    const unembedded = new Set(embeddings.flatMap((job) => payloadOf(job, EMBED_NODES).nodes));
    const said: string[] = [];
    // include accounts that exist only through writes: without keys there are no others
    for (const incarnation of await registry.incarnations()) {
      const account = registry.accountOf(incarnation)?.account ?? String(incarnation);
      onAccount(account);
      const workspace = await tenants.ofIncarnation(incarnation);
      // remove what a killed process left: blobs without a change, files without a record
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
