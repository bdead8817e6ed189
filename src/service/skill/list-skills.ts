import { Stretch } from "../../base/stretch.ts";
import { SKILLS_PATH } from "../../domain/skill.ts";
import { children } from "../../workspace/listing.ts";
import { mustLocate } from "../../workspace/locate.ts";
import type { ServiceCall } from "../call.ts";
import type { Tenants } from "../tenants.ts";
import { type SkillSummary, storedSkill } from "./skills.ts";

/** GET skills: all skills of the account by name. */
export async function listSkills(deps: { tenants: Tenants }, call: ServiceCall): Promise<{ skills: SkillSummary[]; total: number }> {
  const { workspace, owner } = await deps.tenants.reading(call.caller);
  const { kv, keys, uris } = workspace;
  const skills: SkillSummary[] = [];
  const stretch = new Stretch();
  const directory = mustLocate(kv, keys, owner, SKILLS_PATH, uris.format(SKILLS_PATH));
  for await (const item of children(workspace, kv, owner, directory, true)) {
    call.signal.throwIfAborted();
    const skill = item.isDirectory ? await storedSkill(workspace, owner, item.name) : undefined;
    if (skill) skills.push(skill.summary);
    await stretch.rest();
  }
  return { skills, total: skills.length };
}
