import { existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AGENTS, type ConnectPlace } from "../../../src/cli/connect/agents.ts";
import { connect, connectChanges, isConnected, undo } from "../../../src/cli/connect/connection.ts";
import { lineDiff } from "../../../src/cli/connect/diff.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const place = (more: Partial<ConnectPlace> = {}): ConnectPlace => ({
  env: { HOME: folder.path },
  platform: "linux",
  project: undefined,
  packageRoot: "/opt/ctxdb",
  node: "/usr/bin/node",
  variables: {},
  exists: existsSync,
  ...more,
});
const agentOf = (id: string) => {
  const agent = AGENTS.find((one) => one.id === id);
  if (agent === undefined) throw new Error(id);
  return agent;
};
const filesOf = (id: string) =>
  agentOf(id)
    .edits(place())
    .map(({ file }) => file);
const ids = AGENTS.map(({ id }) => id);

/** Existing content of a configuration file: comments, lists and other servers, on one or several lines. */
const THERE: Readonly<Record<string, string>> = {
  json: '{\n  // my servers\n  "mcpServers": { "other": { "command": "x" } }, // here\n  "plugin": ["mine"],\n  "hooks": { "Stop": [{ "hooks": [] }] }\n}\n',
  toml: 'model = "gpt-5"\n\n[mcp_servers.other]\ncommand = "x"\n',
};

describe.each(ids)("connecting %s", (id) => {
  it("connecting an agent in an empty home folder writes its files, and undoing removes them", () => {
    expect(isConnected(agentOf(id), place())).toBe(false);
    expect(connect(agentOf(id), place()).map(({ file }) => file)).toEqual(filesOf(id));
    expect(isConnected(agentOf(id), place())).toBe(true);
    expect(connect(agentOf(id), place())).toEqual([]);
    undo(agentOf(id), place());
    for (const file of filesOf(id)) expect(existsSync(dirname(file))).toBe(false);
  });

  it("connecting an agent keeps existing settings, and undoing restores the same bytes", async () => {
    for (const file of filesOf(id)) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, THERE[file.endsWith(".toml") ? "toml" : "json"] ?? "");
      await chmod(file, 0o640);
    }
    connect(agentOf(id), place({ variables: { CTXDB_ADDRESS: "http://host:1" } }));
    expect(isConnected(agentOf(id), place())).toBe(true);
    for (const file of filesOf(id)) {
      const text = readFileSync(file, "utf8");
      if (file.endsWith(".toml")) expect(text.startsWith(THERE.toml ?? "none")).toBe(true);
      else {
        expect(text).toContain("// my servers");
        const { mcpServers, plugin, hooks } = parse(text, [], { allowTrailingComma: true });
        expect([mcpServers.other, plugin[0], hooks.Stop[0]]).toEqual([
          { command: "x" },
          "mine",
          { hooks: [] },
        ]);
      }
      expect(statSync(file).mode & 0o777).toBe(0o640);
    }
    undo(agentOf(id), place());
    for (const file of filesOf(id))
      expect(readFileSync(file, "utf8")).toBe(THERE[file.endsWith(".toml") ? "toml" : "json"]);
  });

  it("undoing a connection after an edit removes only what it added", async () => {
    connect(agentOf(id), place());
    for (const file of filesOf(id)) {
      const text = readFileSync(file, "utf8");
      const more = file.endsWith(".toml") ? `${text}\n[mine]\na = 1\n` : text.replace("{", '{ "mine": 1,');
      await writeFile(file, more);
    }
    undo(agentOf(id), place());
    for (const file of filesOf(id)) {
      const text = readFileSync(file, "utf8");
      expect(text).toContain("mine");
      expect(text).not.toContain("ctxdb");
    }
  });
});

describe("connecting", () => {
  it("connecting an agent writes through a symbolic link and keeps it", async () => {
    const real = join(folder.path, "dotfiles.json");
    await writeFile(real, "{}\n");
    await mkdir(join(folder.path, ".cursor"));
    await symlink(real, join(folder.path, ".cursor", "mcp.json"));
    connect(agentOf("cursor"), place());
    expect(lstatSync(join(folder.path, ".cursor", "mcp.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, "utf8")).toContain("ctxdb-agent.mjs");
  });

  it.each([
    ["cursor", ".cursor/mcp.json", "{ broken", "is not a JSON object"],
    ["cursor", ".cursor/mcp.json", '{"mcpServers": 7}', "is inside a value that is not an object"],
    ["opencode", ".config/opencode/opencode.json", '{"plugin": "one"}', "plugin is not a list"],
    [
      "codex",
      ".codex/config.toml",
      '[ mcp_servers . "ctxdb" ]\ncommand = "x"\n',
      "already has a table [mcp_servers.ctxdb]",
    ],
  ])(
    "connecting %s refuses a %s that it cannot change, and leaves it unchanged",
    async (id, name, text, reason) => {
      const file = join(folder.path, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      expect(() => connect(agentOf(id), place())).toThrow(reason);
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );

  it("connecting an agent in a project writes into the project's folder", async () => {
    const project = join(folder.path, "work");
    await mkdir(project);
    connect(agentOf("claude-code"), place({ project }));
    expect(existsSync(join(project, ".claude", "settings.local.json"))).toBe(true);
    expect(existsSync(join(folder.path, ".claude"))).toBe(false);
    undo(agentOf("claude-code"), place({ project }));
    expect(existsSync(join(project, ".claude"))).toBe(false);
  });

  it("connecting an agent again replaces what the earlier connection wrote", () => {
    connect(agentOf("codex"), place({ packageRoot: "/old" }));
    connect(agentOf("codex"), place({ packageRoot: "/new" }));
    for (const file of filesOf("codex")) {
      expect(readFileSync(file, "utf8")).toContain("/new/");
      expect(readFileSync(file, "utf8")).not.toContain("/old/");
    }
    undo(agentOf("codex"), place({ packageRoot: "/new" }));
    expect(existsSync(join(folder.path, ".codex"))).toBe(false);
  });

  it("the changes of a connection are shown line by line", () => {
    const [change] = connectChanges(agentOf("cursor"), place());
    expect(lineDiff("", change?.after ?? "").every((line) => line.startsWith("+ "))).toBe(true);
    expect(lineDiff("a\nb\nc\nd\n", "a\nx\nc\nd\ne\n")).toEqual(["- b", "+ x", "+ e"]);
    expect(lineDiff("a\n", "a\n")).toEqual([]);
  });
});
