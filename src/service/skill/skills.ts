import { notFound } from "../../domain/errors.ts";
import { SKILL_FILE, type SkillHead, skillPath } from "../../domain/skill.ts";
import { segmentFault } from "../../domain/uri.ts";
import { headOfDocument, MAX_DOCUMENT_BYTES } from "../../ingest/skill-source.ts";
import { type Located, locate, type Owner } from "../../workspace/tree/locate.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A skill without its document. */
export interface SkillSummary {
  name: string;
  uri: string;
  description: string;
  tags: string[];
  allowedTools: string[];
}

/** A stored skill: its directory and document, from one snapshot. */
export interface StoredSkill {
  readonly located: Located;
  readonly summary: SkillSummary;
  readonly document: Uint8Array;
}

/**
 * The skill with this name, as described by its document. Undefined for a directory without a valid document.
 */
export async function storedSkill(
  workspace: Workspace,
  owner: Owner,
  name: string,
): Promise<StoredSkill | undefined> {
  const located = locate(workspace.kv, workspace.keys, owner, skillPath(name));
  const file = locate(workspace.kv, workspace.keys, owner, [...skillPath(name), SKILL_FILE]);
  if (!located || file?.kind !== "file" || !file.entry || file.entry.size > MAX_DOCUMENT_BYTES)
    return undefined;
  const document = await workspace.contents.read(file.entry);
  const head = headOfDocument(document);
  return head && { located, document, summary: summaryOf(workspace, name, head) };
}

/** Like storedSkill; throws NOT_FOUND if there is none. */
export async function mustFindSkill(workspace: Workspace, owner: Owner, name: string): Promise<StoredSkill> {
  const skill = segmentFault(name) === undefined ? await storedSkill(workspace, owner, name) : undefined;
  if (!skill) throw notFound("skill", name);
  return skill;
}

/** The name of a skill is that of its directory, which may have been moved. */
const summaryOf = (
  workspace: Workspace,
  name: string,
  { description, tags, allowedTools }: SkillHead,
): SkillSummary => ({
  name,
  uri: `${workspace.uris.format(skillPath(name))}/`,
  description,
  tags: [...tags],
  allowedTools: [...allowedTools],
});
