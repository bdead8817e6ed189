import { describe, expect, it } from "vitest";
import { textPart, toolPart } from "../../../src/base/capture/captured-message.ts";

const KEY = "sk-abcdefghijklmnopqrstuvwxyz";
const TOKEN = `eyJ${"a".repeat(30)}.${"b".repeat(3000)}.${"c".repeat(40)}`;
const textOf = (text: string) => {
  const part = textPart(text);
  return part?.type === "text" ? part.text : "";
};

describe("captured parts of conversations", () => {
  it.each([
    [`the key ${KEY} is mine`, "the key [redacted] is mine"],
    [`Authorization: Bearer ${TOKEN}`, "Authorization: Bearer [redacted]"],
    [`x=${TOKEN}, y`, "x=[redacted], y"],
    ["MY_DB_PASSWORD=correct-horse", "MY_DB_PASSWORD=[redacted]"],
    [`"client_secret": "${"z".repeat(20)}"`, '"client_secret": "[redacted]"'],
    ["postgres://ann:hunter22@db/x", "postgres://ann:[redacted]@db/x"],
    ["tokens are counted: many", "tokens are counted: many"],
  ])("a captured text contains no secrets: %#", (text, kept) => {
    expect(textOf(text)).toBe(kept);
  });

  it("a long captured text contains no secret at the edges of the kept parts", () => {
    for (const secret of [KEY, TOKEN, `-----BEGIN RSA PRIVATE KEY-----\n${"k".repeat(30_000)}`]) {
      const text = `${"a ".repeat(4990)} ${secret} ${"b ".repeat(40_000)} ${secret} ${"c ".repeat(4990)}`;
      const kept = textOf(text);
      expect(kept.length).toBeLessThan(20_100);
      expect(kept).not.toMatch(/abcdefghijklm|bbbbbb|cccccc|kkkkkk/);
      expect(kept.startsWith("a a ")).toBe(true);
    }
  });

  it("a captured tool input has few short fields, without the values of fields named like secrets", () => {
    const input = { password: "correct-horse", note: "n".repeat(5000), ["k".repeat(5000)]: 7, list: [1, 2] };
    const part = toolPart({ id: "i", name: "t", input }, `token: ${KEY}`, false);
    expect(part).toMatchObject({
      tool_output: "token: [redacted]",
      tool_input: { password: "[redacted]", ["k".repeat(100)]: "7", list: "[1,2]" },
    });
    expect(JSON.stringify(part).length).toBeLessThan(2000);
  });
});
