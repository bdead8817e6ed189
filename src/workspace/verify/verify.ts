import type { NodeId } from "../../domain/node.ts";
import type { Workspace } from "../workspace.ts";
import { verifyChanges } from "./changes.ts";
import { verifyContents } from "./contents.ts";
import { Audit, type Finding } from "./findings.ts";
import { verifyIndex } from "./index.ts";
import { verifyRecords } from "./records.ts";
import { verifyRelations } from "./relations.ts";
import { verifySchedules } from "./schedules.ts";
import { verifySessions } from "./sessions.ts";
import { verifySharing } from "./sharing.ts";
import { verifySnapshots } from "./snapshots.ts";
import { verifyTasks } from "./tasks.ts";
import { verifyTrash } from "./trash.ts";
import { verifyTree } from "./tree.ts";
import { verifyVectors } from "./vectors.ts";
import { verifyVersions } from "./versions.ts";
import { verifyWebhooks } from "./webhooks.ts";

/**
 * Recomputes every table of a workspace from its records and reports differences (storage.md section 8).
 * `purging`: nodes of pending purges, whose records (and those below) are legitimate. `unembedded`: nodes
 * whose main vectors pending jobs will make. Run it without concurrent writes, because a running change may
 * appear as a difference. A damaged record ends the part that reads it. Memory: one page of records, and a
 * few numbers per node and blob; contents are streamed.
 */
export async function verify(
  workspace: Workspace,
  purging: ReadonlySet<NodeId> = new Set(),
  unembedded: ReadonlySet<NodeId> = new Set(),
): Promise<Finding[]> {
  const audit = await Audit.begin(workspace, purging);
  const parts = [
    () => verifyTree(audit),
    () => verifyContents(audit),
    () => verifyVersions(audit),
    () => verifyTrash(audit),
    () => verifySnapshots(audit),
    () => verifyIndex(audit),
    () => verifyVectors(audit, unembedded),
    () => verifyRelations(audit),
    () => verifySharing(audit),
    () => verifyTasks(audit),
    () => verifyChanges(audit),
    () => verifyWebhooks(audit),
    () => verifySchedules(audit),
    () => verifySessions(audit),
    () => verifyRecords(audit),
  ];
  for (const part of parts) await audit.run(part);
  return audit.findings;
}
