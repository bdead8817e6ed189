import { SKILL_FILE } from "../../domain/skill.ts";
import { decode } from "../../domain/text/decode.ts";
import { walk } from "../../workspace/tree/listing.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { mustFindSkill, type SkillSummary } from "./skills.ts";

/** Maximum number of auxiliary files listed; imported skills have fewer. */
const MAX_NAMED = 1000;

/**
 * GET skills/{name}: a skill with its document and the names of its auxiliary files, without derived and
 * hidden ones.
 */
export async function getSkill(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: { readonly name: string },
): Promise<SkillSummary & { content: string; files: string[] }> {
  const { workspace, owner } = await deps.tenants.openOrEmpty(call.caller);
  const { located, summary, document } = await mustFindSkill(workspace, owner, input.name);
  const files: string[] = [];
  for await (const item of walk(workspace, workspace.kv, owner, located, { levels: 0, showHidden: false })) {
    const name = item.path.slice(located.path.length).join("/");
    if (item.isDirectory || item.entry?.source !== undefined || name === SKILL_FILE) continue;
    if (files.push(name) >= MAX_NAMED) break;
  }
  return { ...summary, content: decode(document)?.text ?? "", files };
}
