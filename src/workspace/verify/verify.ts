import type { NodeId } from "../../domain/node.ts";
import { DamagedRecord } from "../../storage/records.ts";
import type { Workspace } from "../workspace.ts";
import { Audit, type Finding } from "./audit.ts";
import { verifyContents } from "./contents.ts";
import { verifyIndex } from "./index.ts";
import { verifyRelations } from "./relations.ts";
import { verifySessions } from "./sessions.ts";
import { verifyTasks } from "./tasks.ts";
import { verifyTree } from "./tree.ts";
import { verifyVectors } from "./vectors.ts";
import { verifyVersions } from "./versions.ts";

/**
 * Recomputes every table of a workspace from its records and names what disagrees (storage.md section 8).
 * `purging` are the nodes that pending purges were given: their records, and those of everything below, are
 * still there with good reason; `unembedded` are those whose main vectors pending jobs are to make. To be run
 * while nothing is being written: a change under way may be found to disagree. A damaged record ends the part
 * that reads it. Holds one page of records, a
 * few numbers per node and one per blob; contents are read as streams.
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
    () => verifyIndex(audit),
    () => verifyVectors(audit, unembedded),
    () => verifyRelations(audit),
    () => verifyTasks(audit),
    () => verifySessions(audit),
  ];
  for (const part of parts) {
    try {
      await part();
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      audit.report("record", error.subject, error.fault);
    }
  }
  return audit.findings;
}
