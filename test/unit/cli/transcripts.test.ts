import { statSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { redacted } from "../../../src/base/capture/redact.ts";
import { readTranscript } from "../../../src/cli/agents/transcripts/transcript.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, "session.jsonl");
});
afterEach(() => folder.remove());

const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const claude = (type: "user" | "assistant", uuid: string, content: unknown, more = {}) => ({
  type,
  uuid,
  timestamp: "2026-11-25T02:29:48.047Z",
  message: { role: type, content },
  ...more,
});
const codex = (payload: object) => ({ timestamp: "2026-11-25T02:34:41Z", type: "response_item", payload });

function read(agent: string, from = 0) {
  const steps = [...readTranscript(agent, file, from, statSync(file).size)];
  return { messages: steps.flatMap((step) => step.messages), resumeAt: steps.at(-1)?.resumeAt ?? from };
}
const said = (agent: string) =>
  read(agent).messages.map(({ role, parts }) => [
    role,
    ...parts.map((part) => (part.type === "text" ? part.text : part)),
  ]);

const CALL = { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } };
const RESULT = {
  type: "tool_result",
  tool_use_id: "t1",
  content: [{ type: "text", text: "a.md" }],
  is_error: false,
};

describe("a transcript of Claude Code", () => {
  it("a Claude Code transcript is read as messages and tool calls with their results", async () => {
    await writeFile(
      file,
      lines(
        { type: "queue-operation", content: "not a message" },
        claude("user", "u1", "Which files are there?"),
        claude("assistant", "a1", [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "I look." },
        ]),
        claude("assistant", "a2", [CALL]),
        claude("user", "u2", [RESULT]),
        claude("assistant", "a3", [{ type: "text", text: "One: a.md" }]),
      ),
    );
    expect(said("claude-code")).toEqual([
      ["user", "Which files are there?"],
      ["assistant", "I look."],
      [
        "assistant",
        {
          type: "tool",
          tool_id: "t1",
          tool_name: "Bash",
          tool_input: { command: "ls" },
          tool_output: "a.md",
          tool_status: "completed",
        },
      ],
      ["assistant", "One: a.md"],
    ]);
    expect(read("claude-code").messages.map(({ id, at }) => [id, at])).toEqual(
      ["u1", "a1", "u2", "a3"].map((id) => [id, "2026-11-25T02:29:48.047Z"]),
    );
  });

  it("a Claude Code transcript is read without subagents, summaries, commands and ctxdb's own answers", async () => {
    const own = { type: "tool_use", id: "t2", name: "mcp__plugin_ctxdb_ctxdb__recall", input: {} };
    await writeFile(
      file,
      lines(
        claude("user", "u1", "aside", { isSidechain: true }),
        claude("user", "u2", "caveat", { isMeta: true }),
        claude("user", "u3", "summary", { isCompactSummary: true }),
        claude("user", "u4", "<command-name>/clear</command-name>"),
        claude("user", "u5", "<system-reminder>\nnotice\n</system-reminder>Hello"),
        claude("user", "u6", [{ type: "text", text: "Recalled from ctxdb. This is data" }]),
        claude("assistant", "a1", [own]),
        claude("user", "u7", [{ ...RESULT, tool_use_id: "t2" }]),
      ),
    );
    expect(said("claude-code")).toEqual([["user", "Hello"]]);
  });

  it("a Claude Code transcript is read again from a call whose result is missing", async () => {
    await writeFile(file, lines(claude("user", "u1", "Go"), claude("assistant", "a1", [CALL])));
    const first = read("claude-code");
    expect(first.messages.map(({ id }) => id)).toEqual(["u1"]);
    await appendFile(file, `${lines(claude("user", "u2", [RESULT]))}{"type":"assis`);
    const second = read("claude-code", first.resumeAt);
    expect(second.messages.map(({ id, parts }) => [id, parts[0]?.type])).toEqual([["u2", "tool"]]);
    await appendFile(file, `tant","uuid":"a2","message":{"content":"Done"}}\n`);
    expect(read("claude-code", second.resumeAt).messages.map(({ id }) => id)).toEqual(["a2"]);
  });

  it("a Claude Code transcript continues after a call that the user interrupted", async () => {
    await writeFile(
      file,
      lines(claude("assistant", "a1", [CALL]), claude("user", "u1", "Stop, do that instead")),
    );
    expect(read("claude-code").resumeAt).toBe(statSync(file).size);
  });

  it("malformed lines of a transcript are skipped", async () => {
    await writeFile(
      file,
      `nothing\n[]\nnull\n7\n${lines(claude("user", "u0", 7), claude("user", "u1", [null, 3, { type: "text" }]), claude("user", "u2", "Hello"))}`,
    );
    expect(said("claude-code")).toEqual([["user", "Hello"]]);
  });

  it("a long text of a transcript is cut in the middle and contains no secret", async () => {
    const key = `sk-ant-${"x".repeat(30)}`;
    await writeFile(file, lines(claude("user", "u1", `My key is ${key}. ${"word ".repeat(8000)}the end`)));
    const [message] = read("claude-code").messages;
    const text = message?.parts[0]?.type === "text" ? message.parts[0].text : "";
    expect(text).toMatch(/^My key is \[redacted\]/);
    expect(text).toMatch(/the end$/);
    expect(text.length).toBeLessThan(20_100);
  });
});

describe("a transcript of Codex", () => {
  it("a Codex transcript is read as messages and tool calls with their results", async () => {
    const message = (role: string, type: string, text: string) =>
      codex({ type: "message", role, content: [{ type, text }] });
    await writeFile(
      file,
      lines(
        { type: "session_meta", payload: { id: "s" } },
        message("developer", "input_text", "instructions"),
        message("user", "input_text", "<environment_context>\n<cwd>/</cwd></environment_context>"),
        message("user", "input_text", "Run it"),
        codex({ type: "function_call", name: "exec_command", arguments: '{"cmd":"make"}', call_id: "c1" }),
        codex({
          type: "function_call_output",
          call_id: "c1",
          output: "Process exited with code 2\nOutput:\nno",
        }),
        message("assistant", "output_text", "It failed."),
      ),
    );
    expect(said("codex")).toEqual([
      ["user", "Run it"],
      [
        "assistant",
        expect.objectContaining({
          tool_name: "exec_command",
          tool_input: { cmd: "make" },
          tool_status: "error",
        }),
      ],
      ["assistant", "It failed."],
    ]);
    const ids = read("codex").messages.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(read("codex").messages.map(({ id }) => id)).toEqual(ids);
  });
});

describe("redacting", () => {
  it.each([
    ["DB_PASSWORD=hunter2hunter2", "hunter2"],
    ['{"api_key": "abcdefgh12345678"}', "abcdefgh"],
    ["Authorization: Bearer abcdefghijklmnop1234", "abcdefghijklmnop"],
    ["postgres://ann:s3cr3t@db/x", "s3cr3t"],
    [`-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----`, "MIIE"],
    [`ghp_${"a".repeat(36)}`, "aaaa"],
  ])("redaction removes the secret from %j", (text, secret) => {
    expect(redacted(text)).toContain("[redacted]");
    expect(redacted(text)).not.toContain(secret);
  });

  it("redaction leaves ordinary text unchanged", () => {
    const text =
      "The token budget is 2000: see https://example.com/a and the password rules in docs/security.md";
    expect(redacted(text)).toBe(text);
  });
});
