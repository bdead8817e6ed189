import type { JsonObject } from "@bufbuild/protobuf";
import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import { SkillService } from "../../../../gen/ctxdb/v1/skill_pb.ts";
import { listWithinBudget, maxTokens, shortened } from "../budget.ts";
import { type Tool, tool } from "../tool.ts";

const SKILL_TOKENS = 8000;

const skills = tool({
  name: "skills",
  title: "List or read skills",
  description:
    "Skills are instructions for tasks. Without a name: all of them with what they are for. With a name: the whole document, to be followed.",
  effect: "reads",
  input: {
    name: z.string().min(1).optional().describe("A skill, to read it."),
    max_tokens: maxTokens(SKILL_TOKENS),
  },
  run: async (asker, { name, max_tokens }) => {
    if (name !== undefined) {
      const skill = await asker.ask(SkillService.method.getSkill, { name });
      const files =
        skill.files.length === 0 ? "" : `\n[more files in ${skill.uri}: ${skill.files.join(", ")}]`;
      return shortened(skill.content, max_tokens) + shortened(files, max_tokens);
    }
    const all = (await asker.ask(SkillService.method.listSkills, {})).skills;
    if (all.length === 0) return "There are no skills yet.";
    const lines = all.map((skill) => `${skill.name} — ${skill.description.replace(/\s+/g, " ")}`);
    return listWithinBudget("", lines, max_tokens, (shown) =>
      shown < all.length
        ? `${shown} of ${all.length} skills fit; raise max_tokens, or use find with type skill`
        : undefined,
    );
  },
});

const addSkill = tool({
  name: "add_skill",
  title: "Add a skill",
  description:
    "Stores a skill: instructions for a task that agents will meet again. One of the same name is replaced.",
  effect: "changes",
  input: {
    name: z.string().min(1).describe("Lower-case words with hyphens."),
    description: z.string().min(1).describe("What it does and when to use it; this is what it is found by."),
    content: z.string().describe("The instructions, in Markdown."),
    tags: z.array(z.string()).optional(),
    allowed_tools: z.array(z.string()).optional().describe("Tools that it may use."),
  },
  run: async (asker, input) => {
    const stored = await asker.ask(SkillService.method.addSkill, {
      data: fromJson(ValueSchema, input as JsonObject),
    });
    return `Stored the skill ${stored.name} at ${stored.rootUri}.`;
  },
});

export const skillTools: readonly Tool[] = [skills, addSkill];
