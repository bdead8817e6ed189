import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConnectPlace } from "../../../src/cli/connect/agents.ts";
import { connect, isConnected, undo } from "../../../src/cli/connect/connection.ts";
import { GATEWAY_AGENTS, gatewayAgent, gatewayVariables } from "../../../src/cli/connect/gateway-agents.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const ADDRESS = "http://host:1933";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const place = (target: { address: string; key?: string } = { address: ADDRESS }): ConnectPlace => ({
  env: { HOME: folder.path },
  platform: "linux",
  project: undefined,
  packageRoot: "/opt/ctxdb",
  node: "/usr/bin/node",
  variables: gatewayVariables(target),
  exists: existsSync,
});
const agentOf = (id: string) => {
  const agent = gatewayAgent(id);
  if (agent === undefined) throw new Error(id);
  return agent;
};
const fileOf = (id: string): string => agentOf(id).edits(place())[0]?.file ?? "";
const write = async (id: string, text: string): Promise<void> => {
  await mkdir(dirname(fileOf(id)), { recursive: true });
  await writeFile(fileOf(id), text);
};
const settings = (id: string) => parse(readFileSync(fileOf(id), "utf8"), [], { allowTrailingComma: true });

const THERE: Readonly<Record<string, string>> = {
  json: '{\n  // mine\n  "env": { "A": "1" },\n  "provider": { "openai": { "options": { "timeout": 5 } } }\n}\n',
  toml: '# mine\nmodel = "gpt-5"\n\n[model_providers.other]\nname = "x"\n',
};
const there = (id: string): string => THERE[fileOf(id).endsWith(".toml") ? "toml" : "json"] ?? "";

describe.each(GATEWAY_AGENTS.map(({ id }) => id.replace(/-gateway$/, "")))("the gateway and %s", (id) => {
  it("connecting an agent to the gateway in an empty home folder writes its file, and undoing removes it", () => {
    expect(isConnected(agentOf(id), place())).toBe(false);
    expect(connect(agentOf(id), place()).map(({ file }) => file)).toEqual([fileOf(id)]);
    expect(isConnected(agentOf(id), place())).toBe(true);
    expect(connect(agentOf(id), place())).toEqual([]);
    undo(agentOf(id), place());
    expect(existsSync(fileOf(id))).toBe(false);
  });

  it("connecting an agent to the gateway keeps existing settings, and undoing restores the same bytes", async () => {
    await write(id, there(id));
    connect(agentOf(id), place());
    expect(readFileSync(fileOf(id), "utf8")).toContain("mine");
    connect(agentOf(id), place({ address: "http://other:1" }));
    expect(readFileSync(fileOf(id), "utf8")).toContain("http://other:1/gateway/");
    expect(readFileSync(fileOf(id), "utf8")).not.toContain(ADDRESS);
    undo(agentOf(id), place());
    expect(readFileSync(fileOf(id), "utf8")).toBe(there(id));
  });

  it("undoing a gateway connection after an edit removes only what it added", async () => {
    await write(id, there(id));
    connect(agentOf(id), place());
    const text = readFileSync(fileOf(id), "utf8");
    await writeFile(
      fileOf(id),
      fileOf(id).endsWith(".toml") ? `${text}\n[more]\na = 1\n` : text.replace("{", '{ "more": 1,'),
    );
    undo(agentOf(id), place());
    const left = readFileSync(fileOf(id), "utf8");
    expect(left).toContain("more");
    expect(left).not.toContain("gateway");
    expect(left).not.toContain("ctxdb");
  });

  it("connecting an agent to the gateway never writes an API key to its configuration", () => {
    connect(agentOf(id), place({ address: ADDRESS, key: "secret-key" }));
    expect(readFileSync(fileOf(id), "utf8")).not.toContain("secret-key");
  });
});

describe("base URLs of the gateway", () => {
  it("each agent gets the base URL in the form that it needs, and the name of the key variable", () => {
    for (const id of ["claude-code", "codex", "opencode", "zed"])
      connect(agentOf(id), place({ address: `${ADDRESS}/`, key: "k" }));
    expect(settings("claude-code").env).toEqual({ ANTHROPIC_BASE_URL: `${ADDRESS}/gateway/anthropic` });
    const headers = { "X-Ctxdb-Key": "{env:CTXDB_API_KEY}" };
    expect(settings("opencode").provider).toEqual({
      anthropic: { options: { baseURL: `${ADDRESS}/gateway/anthropic/v1`, headers } },
      openai: { options: { baseURL: `${ADDRESS}/gateway/openai/v1`, headers } },
    });
    expect(settings("zed").language_models).toEqual({
      anthropic: { api_url: `${ADDRESS}/gateway/anthropic` },
      openai: { api_url: `${ADDRESS}/gateway/openai/v1` },
    });
    const toml = readFileSync(fileOf("codex"), "utf8");
    expect(toml).toContain(`base_url = "${ADDRESS}/gateway/openai/v1"`);
    expect(toml).toContain('env_http_headers = { "X-Ctxdb-Key" = "CTXDB_API_KEY" }');
  });

  it("keys added to the Codex configuration are placed before its tables", async () => {
    await write("codex", '[mcp_servers.other]\ncommand = "x"\n');
    connect(agentOf("codex"), place());
    const lines = readFileSync(fileOf("codex"), "utf8").split("\n");
    const at = (start: string): number => lines.findIndex((line) => line.startsWith(start));
    expect(at("model_provider =")).toBeLessThan(at("[mcp_servers.other]"));
    expect(at("model_provider =")).toBeGreaterThan(-1);
  });

  it.each([
    [
      "claude-code",
      '{ "env": { "ANTHROPIC_BASE_URL": "https://proxy.example" } }',
      "already has env.ANTHROPIC_BASE_URL",
    ],
    ["codex", 'model_provider = "mine"\n', "already has model_provider"],
    ["codex", '[model_providers.ctxdb]\nname = "x"\n', "already has a table [model_providers.ctxdb]"],
  ])("connecting %s refuses to replace a setting of the user: %s", async (id, text, reason) => {
    await write(id, text);
    expect(() => connect(agentOf(id), place())).toThrow(reason);
    expect(readFileSync(fileOf(id), "utf8")).toBe(text);
  });

  it("undoing a gateway connection keeps a base URL that the user has set since", async () => {
    connect(agentOf("claude-code"), place());
    await write("claude-code", '{ "env": { "ANTHROPIC_BASE_URL": "https://proxy.example" } }');
    undo(agentOf("claude-code"), place());
    expect(settings("claude-code").env).toEqual({ ANTHROPIC_BASE_URL: "https://proxy.example" });
  });

  it("a model provider set in a table of the Codex file is not the provider of the file", async () => {
    await write("codex", '[profiles.mine]\nmodel_provider = "mine"\n');
    connect(agentOf("codex"), place());
    expect(isConnected(agentOf("codex"), place())).toBe(true);
  });

  it("hooks and the gateway have separate connection records", () => {
    connect(agentOf("opencode"), place());
    expect(existsSync(join(folder.path, ".local/state/ctxdb/connect/opencode-gateway.json"))).toBe(true);
  });
});
