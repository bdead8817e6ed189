import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hookAnswer } from "../../src/cli/agents/hook-answer.ts";
import { hookLogFile } from "../../src/cli/agents/hook-log.ts";
import { type OpencodeHooks, opencodeHooks } from "../../src/cli/agents/opencode-plugin.ts";
import { waitingRecords } from "../../src/cli/agents/spool.ts";
import { targetFolder } from "../../src/cli/agents/state-folder.ts";
import type { Profile } from "../../src/cli/profiles.ts";
import { ctxdb } from "../support/command-line.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PROGRAM = fileURLToPath(new URL("../../plugins/claude-code/scripts/ctxdb-agent.mjs", import.meta.url));
const SESSION = "234cb27f-3f3c-4dc7-a48a-d0bb50b06358";
const OTHER = "c24809a7-f3c6-4a3a-b666-377d7803b8c4";

let server: Served;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let user: string;
let users = 0;

beforeAll(async () => {
  server = await serve();
  await server.rest(ROOT_KEY, "POST admin/accounts", { account_id: "acme", admin_user_id: "boss" });
});
afterAll(() => server.close());
beforeEach(async () => {
  aim = undefined;
  folder = await temporaryFolder();
  user = `user-${users++}`;
  await server.rest(ROOT_KEY, "POST admin/accounts/acme/users", { user_id: user });
  env = {
    HOME: folder.path,
    CTXDB_ADDRESS: `http://127.0.0.1:${server.port}`,
    CTXDB_API_KEY: ROOT_KEY,
    CTXDB_ACCOUNT: "acme",
    CTXDB_USER: user,
    CTXDB_HOOK_LIMIT_MS: "10000",
  };
});
afterEach(() => folder.remove());

let aim: Profile | undefined;
const target = (): Profile =>
  aim ?? { address: env.CTXDB_ADDRESS ?? "", key: ROOT_KEY, account: "acme", user };

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
const waiting = () => waitingRecords(targetFolder(env, target()));
const log = () => (existsSync(hookLogFile(env)) ? readFileSync(hookLogFile(env), "utf8") : "");

/** Calls a hook in this process, as an agent does through a program. Flushes must be called explicitly. */
async function hook(agent: string, event: string, input: string | object = ""): Promise<string> {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  const answer = await hookAnswer([agent, event], {
    env,
    in: (async function* () {
      if (text !== "") yield Buffer.from(text);
    })(),
    target: async () => target(),
    now: Date.now,
    elapsedMs: () => 0,
    self: [process.execPath, "-e", "0"],
  });
  return answer;
}
const flushed = () => hook("flush", "");

/** Inputs in the format of Claude Code 2.1 and Codex 0.169. */
const event = (session: string, transcript: string, more: object = {}) => ({
  session_id: session,
  transcript_path: transcript,
  cwd: "/tmp/work",
  permission_mode: "default",
  ...more,
});
const line = (type: string, uuid: string, content: unknown) =>
  `${JSON.stringify({ type, uuid, timestamp: "2026-11-25T02:29:48.047Z", isSidechain: false, message: { role: type, content } })}\n`;
const added = (answer: string): string => JSON.parse(answer).hookSpecificOutput.additionalContext;

async function messagesOf(session: string): Promise<string[]> {
  const { result } = await server.rest(ROOT_KEY, `GET sessions/${session}/context`, undefined, {
    "X-Ctx-Account": "acme",
    "X-Ctx-User": user,
  });
  return (result as { messages: { role: string; parts: { text?: string }[] }[] }).messages.map(
    ({ role, parts }) => `${role}: ${parts[0]?.text}`,
  );
}
const settled = () => ctxdb(["wait"], { env });

describe("the hooks of Claude Code, driven by recorded events", () => {
  it("Claude Code hooks recall content of another session once, and again after a compaction", async () => {
    const transcript = join(folder.path, `${SESSION}.jsonl`);
    const first = event(SESSION, transcript);
    expect(await hook("claude-code", "SessionStart", { ...first, source: "startup" })).toBe("");
    expect(
      await hook("claude-code", "UserPromptSubmit", { ...first, prompt: "My dentist is Dr. Ahornblatt." }),
    ).toBe("");
    await writeFile(
      transcript,
      line("user", "u1", "My dentist is Dr. Ahornblatt.") +
        line("assistant", "a1", [{ type: "text", text: "Noted." }]),
    );
    expect(await hook("claude-code", "Stop", { ...first, last_assistant_message: "Noted." })).toBe("");
    await flushed();
    expect(await messagesOf(`claude-code-${SESSION}`)).toEqual([
      "user: My dentist is Dr. Ahornblatt.",
      "assistant: Noted.",
    ]);
    expect(await hook("claude-code", "SessionEnd", { ...first, reason: "other" })).toBe("");
    await flushed();
    await settled();
    const second = event(OTHER, join(folder.path, `${OTHER}.jsonl`));
    const prompt = { ...second, prompt: "Who is my dentist?" };
    const answer = JSON.parse(await hook("claude-code", "UserPromptSubmit", prompt));
    expect(answer.hookSpecificOutput.hookEventName).toBe("UserPromptSubmit");
    expect(answer.hookSpecificOutput.additionalContext).toMatch(
      /^Recalled from ctxdb\.[\s\S]*dentist is Dr\. Ahornblatt/,
    );
    expect(
      await hook("claude-code", "UserPromptSubmit", { ...prompt, prompt: "And what is my dentist called?" }),
    ).toBe("");
    await hook("claude-code", "SessionStart", { ...second, source: "compact" });
    expect(
      added(await hook("claude-code", "UserPromptSubmit", { ...prompt, prompt: "My dentist again?" })),
    ).toContain("Ahornblatt");
    expect([waiting(), log()]).toEqual([0, ""]);
  });

  it("Claude Code hooks commit a conversation before its compaction", async () => {
    const transcript = join(folder.path, `${SESSION}.jsonl`);
    await writeFile(transcript, line("user", "u1", "My plumber is called Rohrmeier."));
    await hook("claude-code", "PreCompact", event(SESSION, transcript, { trigger: "auto" }));
    await flushed();
    expect(await messagesOf(`claude-code-${SESSION}`)).toEqual([]);
    await settled();
    expect((await ctxdb(["recall", "plumber"], { env })).out).toContain("Rohrmeier");
  });

  it("Claude Code hooks lose no events while the server is down, and send each once when it is up", async () => {
    const port = await freePort();
    aim = { address: `http://127.0.0.1:${port}` };
    const transcript = join(folder.path, `${SESSION}.jsonl`);
    const about = event(SESSION, transcript, { prompt: "Hello" });
    expect(await hook("claude-code", "UserPromptSubmit", about)).toBe("");
    await writeFile(transcript, line("user", "u1", "Hello"));
    await hook("claude-code", "Stop", about);
    await flushed();
    await hook("claude-code", "SessionEnd", about);
    expect(waiting()).toBe(3);
    expect(log()).toContain(`no answer from ${aim.address}`);
    const late = await serve({ CTXDB_PORT: String(port), CTXDB_ROOT_API_KEY: undefined });
    try {
      await Promise.all([flushed(), flushed()]);
      await flushed();
      expect(waiting()).toBe(0);
      const archive = `content/read?uri=ctx://session/default/claude-code-${SESSION}/history/archive_001/messages.jsonl`;
      const { result } = await late.rest("", `GET ${archive}`);
      expect(JSON.stringify(result).match(/Hello/g)).toHaveLength(1);
    } finally {
      await late.close();
    }
  });

  it("a hook returns nothing for malformed input, and logs the reason", async () => {
    for (const input of ["", "no JSON", "[]", "7", '{"session_id": 5}', "{".repeat(100_000)])
      expect(await hook("claude-code", "UserPromptSubmit", input)).toBe("");
    expect(await hook("claude-code", "Unknown", { session_id: SESSION })).toBe("");
    expect(await hook("nobody", "Stop", { session_id: SESSION })).toBe("");
    expect(log()).toContain("the event is not JSON");
    expect(log()).toMatch(/unknown agent .*nobody/);
    expect(log()).not.toContain(ROOT_KEY);
  });

  it("a hook sets a missing transcript aside and sends the other transcripts", async () => {
    const [gone, there] = [join(folder.path, "gone.jsonl"), join(folder.path, "there.jsonl")];
    for (const path of [gone, there]) await writeFile(path, line("user", "u1", "Hello"));
    await hook("claude-code", "Stop", event(SESSION, gone));
    await rm(gone);
    await hook("claude-code", "Stop", event(OTHER, there));
    await flushed();
    expect(await messagesOf(`claude-code-${OTHER}`)).toEqual(["user: Hello"]);
    expect([waiting(), log()]).toEqual([0, expect.stringContaining(`${gone} is gone`)]);
  });

  it("a message that the server refuses for a secret is left out, and those after it are stored", async () => {
    const strict = await serve({ CTXDB_SECRETS: "refuse" });
    try {
      await strict.rest(ROOT_KEY, "POST admin/accounts", { account_id: "acme", admin_user_id: "boss" });
      aim = { address: `http://127.0.0.1:${strict.port}`, key: ROOT_KEY, account: "acme", user: "boss" };
      const transcript = join(folder.path, `${SESSION}.jsonl`);
      const told = [
        line("user", "u1", "My dentist is Dr. Ahornblatt."),
        // a form of key that the hook itself does not redact
        line("user", "u2", `My key is ${["ASIA", "QNZGKIQY56JQ7WML"].join("")}.`),
        line("user", "u3", "My doctor is Dr. Erle."),
      ];
      await writeFile(transcript, told.join(""));
      await hook("claude-code", "Stop", event(SESSION, transcript));
      await flushed();
      const who = { "X-Ctx-Account": "acme", "X-Ctx-User": "boss" };
      const path = `GET sessions/claude-code-${SESSION}/context`;
      const context = JSON.stringify(await strict.rest(ROOT_KEY, path, undefined, who));
      expect(context).toContain("Ahornblatt");
      expect(context).not.toContain("ASIAQNZ");
      expect(context).toContain("Erle");
      expect(log()).toContain("a message is left out: INVALID_ARGUMENT");
    } finally {
      await strict.close();
    }
  });

  it("hooks do not restore a session that was deleted", async () => {
    const transcript = join(folder.path, `${SESSION}.jsonl`);
    await writeFile(transcript, line("user", "u1", "Hello"));
    await hook("claude-code", "Stop", event(SESSION, transcript));
    await flushed();
    await ctxdb(["session", "rm", `claude-code-${SESSION}`], { env });
    await writeFile(transcript, line("user", "u1", "Hello") + line("user", "u2", "Again"));
    await hook("claude-code", "Stop", event(SESSION, transcript));
    await flushed();
    expect(waiting()).toBe(0);
    expect(log()).toContain("dropped, the session was deleted");
    expect((await ctxdb(["session", "list"], { env })).out).not.toContain(SESSION);
  });

  it("hooks keep all of several simultaneous events", async () => {
    const sessions = Array.from({ length: 12 }, (_, at) => `${SESSION.slice(0, -2)}${at + 10}`);
    await Promise.all(
      sessions.map(async (session) => {
        const transcript = join(folder.path, `${session}.jsonl`);
        await writeFile(transcript, line("user", "u1", `Hello from ${session}`));
        await hook("claude-code", "Stop", event(session, transcript));
      }),
    );
    await Promise.all([flushed(), flushed(), flushed()]);
    await flushed();
    for (const session of sessions)
      expect(await messagesOf(`claude-code-${session}`)).toEqual([`user: Hello from ${session}`]);
  });
});

describe("the program of the plugins", () => {
  const start = (...args: string[]): ChildProcess => spawn(process.execPath, [PROGRAM, ...args], { env });
  async function ended(child: ChildProcess): Promise<{ code: number; out: string; err: string }> {
    const said = [child.stdout, child.stderr].map((stream) => stream?.setEncoding("utf8").toArray());
    const [code] = await once(child, "exit");
    const [out = [], err = []] = await Promise.all(said);
    return { code, out: out.join(""), err: err.join("") };
  }

  it("the plugin's hook program ends with code 0 while its input is still open", async () => {
    const transcript = join(folder.path, `${SESSION}.jsonl`);
    await writeFile(transcript, line("user", "u1", "Hello"));
    const child = start("hook", "claude-code", "Stop");
    child.stdin?.write(JSON.stringify(event(SESSION, transcript)));
    expect(await ended(child)).toEqual({ code: 0, out: "", err: "" });
  });

  it("the hook program ends with code 0 for a wrong call, an unreachable server and a read-only folder", async () => {
    await writeFile(join(folder.path, ".local"), "a file in the way");
    env.CTXDB_ADDRESS = "http://127.0.0.1:9";
    for (const args of [["hook"], ["hook", "codex", "Stop"], ["hook", "codex", "UserPromptSubmit"]]) {
      const child = start(...args);
      child.stdin?.end(JSON.stringify(event(SESSION, "/none", { prompt: "Hello" })));
      expect(await ended(child)).toEqual({ code: 0, out: "", err: "" });
    }
  });

  it("the plugin program serves MCP with settings given as arguments", async () => {
    const { CTXDB_ADDRESS: address = "", ...rest } = env;
    const child = spawn(process.execPath, [PROGRAM, `CTXDB_ADDRESS=${address}`, "mcp", "cursor"], {
      env: rest,
    });
    child.stdin?.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
    expect(JSON.parse((await ended(child)).out)).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });
});

describe("the plugin of opencode, driven by recorded events", () => {
  const ID = "ses_def719949ffeAU22A8aPpxmhV4";
  const hooks = (): OpencodeHooks => opencodeHooks({ env, target: target(), now: Date.now });
  const said = async (plugin: OpencodeHooks, session: string, id: string, text: string) => {
    const parts: { type: string; text: string; synthetic?: boolean }[] = [{ type: "text", text }];
    await plugin["chat.message"]({ sessionID: session }, { message: { id }, parts });
    return parts;
  };
  const happened = (plugin: OpencodeHooks, type: string, properties: object) =>
    plugin.event({ event: { type, properties } });
  const answered = async (plugin: OpencodeHooks, session: string, id: string, text: string) => {
    const part = { id: `prt_${id}`, messageID: id, sessionID: session, type: "text", text };
    await happened(plugin, "message.part.updated", { sessionID: session, part });
    const info = { id, role: "assistant", sessionID: session, time: { created: 1, completed: 2 } };
    await happened(plugin, "message.updated", { sessionID: session, info });
  };

  it("the opencode plugin stores messages, commits at the end, and recalls them in the next session", async () => {
    const first = hooks();
    expect(await said(first, ID, "msg_1", "My landlord is Frau Mietzahl.")).toHaveLength(1);
    await answered(first, ID, "msg_2", "Noted.");
    await first.dispose();
    await flushed();
    await settled();
    const parts = await said(hooks(), `${ID}2`, "msg_3", "Who is my landlord?");
    expect(parts[1]).toMatchObject({ synthetic: true, text: expect.stringContaining("Frau Mietzahl") });
    expect((await ctxdb(["session", "list"], { env })).out).toContain(`opencode-${ID} `);
  });

  it("the opencode plugin stores nothing from a subagent, and fails silently", async () => {
    const plugin = hooks();
    await happened(plugin, "session.created", { sessionID: ID, info: { id: ID, parentID: "ses_parent" } });
    await said(plugin, ID, "msg_1", "An aside");
    await answered(plugin, ID, "msg_2", "Noted.");
    await plugin.event({ event: null });
    await plugin.event({ event: { type: "message.updated", properties: { info: 7 } } });
    await plugin.dispose();
    expect(waiting()).toBe(0);
  });
});

describe("ctxdb backfill", () => {
  it("ctxdb backfill sends old transcripts once, or only those since a date, and reports their number", async () => {
    const projects = join(folder.path, ".claude", "projects", "-tmp-work");
    await mkdir(projects, { recursive: true });
    await writeFile(join(projects, `${SESSION}.jsonl`), line("user", "u1", "My dentist is Dr. Ahornblatt."));
    await writeFile(join(projects, `agent-1.jsonl`), line("user", "u1", "aside"));
    const ran = async (...more: string[]) => (await ctxdb(["backfill", "claude-code", ...more], { env })).out;
    expect(await ran("--since", "2999-01-01")).toBe("sent 0 messages of 0 sessions\n");
    expect(await ran()).toBe("sent 1 message of 1 session\n");
    expect(await ran()).toBe("sent 0 messages of 0 sessions\n");
    await rm(join(folder.path, ".local"), { recursive: true });
    await ran();
    await settled();
    expect((await ctxdb(["recall", "dentist"], { env })).out.match(/user: My dentist/g)).toHaveLength(1);
  });

  it("ctxdb backfill lists the known agents if the agent is unknown", async () => {
    expect(await ctxdb(["backfill", "nobody"], { env })).toMatchObject({
      code: 2,
      err: expect.stringContaining("choose one of claude-code, codex"),
    });
  });
});

describe("ctxdb connect", () => {
  it("ctxdb connect connects an agent in an empty home folder, and checks, lists and disconnects it", async () => {
    const ran = (...args: string[]) => ctxdb(["connect", ...args], { env });
    const file = join(folder.path, ".claude", "settings.json");
    expect(await ran("claude-code", "--dry-run")).toMatchObject({
      code: 0,
      out: expect.stringContaining('+   "enabledPlugins"'),
      err: "nothing was written\n",
    });
    expect((await ran("claude-code", "--check")).code).toBe(1);
    expect(await ran("claude-code")).toMatchObject({ code: 0, out: `written ${file}\n` });
    expect((await ran("claude-code")).err).toBe("Claude Code is already connected\n");
    expect(await ran("claude-code", "--check")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Connected +yes/),
    });
    expect((await ran()).out).toMatch(/^claude-code +Claude Code +yes +yes/m);
    expect(readFileSync(file, "utf8")).not.toContain(ROOT_KEY);
    expect(await ran("claude-code", "--undo")).toMatchObject({ code: 0, out: `deleted ${file}\n` });
    expect((await ran("claude-code", "--undo")).err).toBe("Claude Code was not connected\n");
    expect(await ran("nobody")).toMatchObject({
      code: 2,
      err: expect.stringContaining('unknown agent "nobody"'),
    });
  });
});
