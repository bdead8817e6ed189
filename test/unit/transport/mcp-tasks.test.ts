import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { describe, expect, it } from "vitest";
import { Catalogue } from "../../../src/transport/mcp/server.ts";
import { type Call, isRight, TASKS } from "../../support/mcp-tasks.ts";

const { tools } = new Catalogue({ version: "0", root: "ctx://" });
const validator = new AjvJsonSchemaValidator();

describe("the tasks of agents", () => {
  it("the expected calls for agent tasks match the schemas of their tools", () => {
    const calls: Call[] = TASKS.flatMap((task) => [task, ...(task.or ?? [])]);
    const faults = calls.flatMap((call) => {
      const tool = tools.find(({ name }) => name === call.tool);
      if (tool === undefined) return [`${call.tool}: no such tool`];
      const { valid, errorMessage } = validator.getValidator(JSON.parse(JSON.stringify(tool.inputSchema)))(
        call.arguments,
      );
      return valid ? [] : [`${call.tool} ${JSON.stringify(call.arguments)}: ${errorMessage}`];
    });
    expect(faults).toEqual([]);
  });

  it("the sixty agent tasks together need every tool", () => {
    expect(TASKS).toHaveLength(60);
    expect(new Set(TASKS.map(({ tool }) => tool))).toEqual(new Set(tools.map(({ name }) => name)));
  });

  it("a call for an agent task may use other words, but not another tool, subject or condition", () => {
    const [task] = TASKS.filter(({ tool }) => tool === "read");
    if (task === undefined) throw new Error("no task reads");
    expect(isRight(task, task)).toBe(true);
    expect(isRight(task, { ...task, arguments: { ...task.arguments, max_tokens: 500 } })).toBe(true);
    expect(isRight(task, undefined)).toBe(false);
    expect(isRight(task, { ...task, tool: "ls" })).toBe(false);
    expect(isRight(task, { ...task, arguments: { uri: "ctx://resources/other.md" } })).toBe(false);
    expect(isRight(task, { ...task, arguments: { ...task.arguments, version: 2 } })).toBe(false);
  });
});
