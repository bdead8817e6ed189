import { IMPORT, jobOwner } from "../../domain/job.ts";
import type { SourceHead } from "../../ingest/source.ts";
import { rootName } from "../../ingest/source-name.ts";
import { reserve } from "../../workspace/requests/reservations.ts";
import { putTask } from "../../workspace/requests/tasks.ts";
import type { ServiceCall } from "../call.ts";
import type { ImportDeps } from "../import-deps.ts";
import type { Imported } from "../run-import.ts";
import type { Tenant } from "../tenants.ts";
import { addedOf, taskOf, taskResult } from "./added-resource.ts";
import type { ImportOrder } from "./import-order.ts";
import { chooseRoot, type ImportTarget } from "./import-root.ts";

/** Metadata of a queued source; 0 files and bytes until it is opened. */
export interface Accepted {
  readonly head: SourceHead;
  readonly files: number;
  readonly bytes: number;
  readonly warnings: readonly string[];
}

/** Reserves the root and enqueues a durable job; nothing is visible before the import is complete. */
export async function accept(
  deps: ImportDeps,
  call: ServiceCall,
  tenant: Tenant,
  place: ImportTarget,
  order: ImportOrder,
  { head, files, bytes, warnings }: Accepted,
): Promise<Imported> {
  const { workspace } = tenant;
  const name = rootName(head.name, head.isDirectory);
  return workspace.locks.run("accept an import", async () => {
    const root = chooseRoot(tenant, place, name, head.identity);
    const imported: Imported = { rootUri: workspace.uris.format(root), errors: [], warnings };
    tenant.owner.access?.check(root, imported.rootUri, "write");
    await workspace.commit((draft) => {
      reserve(draft, imported.rootUri, head.identity);
      putTask(draft, {
        ...taskOf(tenant, order, { status: "pending", stage: "queued", total: files }),
        result: taskResult(imported),
      });
      deps.queue.enqueue(draft, {
        queue: "import",
        class: "bulk",
        kind: IMPORT,
        workspace: workspace.incarnation,
        owner: jobOwner(call.caller),
        payload: { ...order, root } satisfies ImportOrder & { root: readonly string[] },
        origins: [order.task],
        sameAs: undefined,
        // an upload that waits is already counted as an upload
        waitingBytes: order.spec.kind === "upload" ? 0 : bytes,
      });
      deps.queue.admit(draft, workspace.incarnation);
      call.keepAnswer?.(draft, { ...addedOf(String(order.meta.source), imported), taskId: order.task });
      return () => undefined;
    });
    return imported;
  });
}
