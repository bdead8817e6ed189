import type { JsonObject } from "@bufbuild/protobuf";
import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import { SkillService } from "../../../../gen/ctxdb/v1/skill_pb.ts";
import { fitting, listWithinBudget, maxTokens, shortened } from "../answer-budget.ts";
import { dataTool, type Tool, tool } from "../tool.ts";

const SKILL_TOKENS = 8000;

/** A skill, alone or in a list. */
interface Skilled {
  readonly name: string;
  readonly description: string;
  readonly uri: string;
}

const skills = dataTool({
  name: "skills",
  title: "List or read skills",
  description:
    "Skills are instructions for tasks. Without name: lists all skills and what they are for. With name: returns the whole document, to follow.",
  effect: "reads",
  input: {
    name: z.string().min(1).optional().describe("Name of the skill to read."),
    max_tokens: maxTokens(SKILL_TOKENS),
  },
  output: {
    skills: z
      .array(z.object({ name: z.string(), description: z.string(), uri: z.string() }))
      .describe("As many as fit into max_tokens."),
    total: z.int(),
    content: z.string().optional().describe("With a name: the document."),
    files: z.array(z.string()).optional().describe("With a name: further files, below uri."),
  },
  run: async (asker, { name, max_tokens }) => {
    if (name !== undefined) {
      const skill = await asker.ask(SkillService.method.getSkill, { name });
      const files =
        skill.files.length === 0 ? "" : `\n[more files in ${skill.uri}: ${skill.files.join(", ")}]`;
      const content = shortened(skill.content, max_tokens);
      const data = { skills: [skillData(skill)], total: 1, content, files: skill.files };
      return { text: content + shortened(files, max_tokens), data };
    }
    const all = (await asker.ask(SkillService.method.listSkills, {})).skills;
    const total = all.length;
    if (total === 0) return { text: "There are no skills yet.", data: { skills: [], total } };
    const lines = all.map((skill) => `${skill.name} — ${skill.description.replace(/\s+/g, " ")}`);
    const shown = fitting(lines, max_tokens);
    const text = listWithinBudget("", lines, max_tokens, () =>
      shown < total
        ? `${shown} of ${total} skills fit; use a larger max_tokens, or find with type skill`
        : undefined,
    );
    return { text, data: { skills: all.slice(0, shown).map(skillData), total } };
  },
});

const skillData = ({ name, description, uri }: Skilled) => ({ name, description, uri });

const addSkill = tool({
  name: "add_skill",
  title: "Add a skill",
  description:
    "Stores a skill: instructions for a task that agents will do again. Replaces a skill of the same name.",
  effect: "changes",
  input: {
    name: z.string().min(1).describe("Name in kebab-case, for example pdf-forms."),
    description: z.string().min(1).describe("What it does and when to use it; agents find it by this text."),
    content: z.string().describe("Instructions, in Markdown."),
    tags: z.array(z.string()).optional(),
    allowed_tools: z.array(z.string()).optional().describe("Names of the tools that it may use."),
  },
  run: async (asker, input) => {
    const stored = await asker.ask(SkillService.method.addSkill, {
      data: fromJson(ValueSchema, input as JsonObject),
    });
    return `Stored the skill ${stored.name} at ${stored.rootUri}.`;
  },
});

export const skillTools: readonly Tool[] = [skills, addSkill];
