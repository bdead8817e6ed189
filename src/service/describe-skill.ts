import { present } from "../base/expect.ts";
import { directoryLayersJob } from "../domain/job.ts";
import { skillOfDocument, skillPath } from "../domain/skill.ts";
import type { Path } from "../domain/uri.ts";
import { headOfDocument } from "../ingest/skill-source.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { locate } from "../workspace/tree/locate.ts";
import { describe } from "../workspace/tree/tree.ts";
import type { WorkspaceDraft } from "../workspace/workspace-draft.ts";
import type { Tenant } from "./tenants.ts";

/**
 * Stores a skill's description as the abstract of its directory, in the transaction that stores its document;
 * a job creates the overview from the files.
 */
export function describeSkill(
  draft: WorkspaceDraft,
  queue: JobQueue,
  { workspace, owner }: Tenant,
  name: string,
  description: string,
  origin: string,
): void {
  const skill = present(locate(draft, draft.keys, owner, skillPath(name)), `skill ${name}`);
  const entry = present(skill.entry, `entry of skill ${name}`);
  describe(draft, workspace, skill.directory, name, entry, description);
  queue.enqueue(draft, directoryLayersJob(workspace.incarnation, entry.node, [origin]));
}

/** The description in a skill's document; undefined for any other file, and if the document has none. */
export function skillAt(
  path: Path,
  bytes: Uint8Array,
): { readonly name: string; readonly description: string } | undefined {
  const name = skillOfDocument(path);
  const head = name === undefined ? undefined : headOfDocument(bytes);
  return name !== undefined && head ? { name, description: head.description } : undefined;
}
