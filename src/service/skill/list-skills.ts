import { EventLoopYielder } from "../../base/event-loop.ts";
import { ServiceError } from "../../domain/errors.ts";
import { SKILLS_PATH } from "../../domain/skill.ts";
import { children } from "../../workspace/tree/listing.ts";
import { mustLocate } from "../../workspace/tree/locate.ts";
import { AnswerLength } from "../answer-length.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { type SkillSummary, storedSkill } from "./skills.ts";

const tooMany = (found: number) => {
  const reason = `there are more skills than fit into one response (${found} fit): list their folders with fs/ls`;
  return new ServiceError("RESOURCE_EXHAUSTED", `skills: ${reason}`, { resource: "skills", reason });
};

/** GET skills: all skills of the account, sorted by name. */
export async function listSkills(
  deps: { tenants: Tenants },
  call: ServiceCall,
): Promise<{ skills: SkillSummary[]; total: number }> {
  const { workspace, owner } = await deps.tenants.openOrEmpty(call.caller);
  const { kv, keys, uris } = workspace;
  const skills: SkillSummary[] = [];
  const length = new AnswerLength();
  const yielder = new EventLoopYielder(workspace.incarnation);
  const directory = mustLocate(kv, keys, owner, SKILLS_PATH, uris.format(SKILLS_PATH));
  for await (const item of children(workspace, kv, owner, directory, true)) {
    call.signal.throwIfAborted();
    const skill = item.isDirectory ? await storedSkill(workspace, owner, item.name) : undefined;
    if (skill) {
      const { name, description, tags, allowedTools } = skill.summary;
      length.add(name, description, ...tags, ...allowedTools);
      skills.push(skill.summary);
    }
    if (length.isFull) throw tooMany(skills.length);
    await yielder.yieldIfDue();
  }
  return { skills, total: skills.length };
}
