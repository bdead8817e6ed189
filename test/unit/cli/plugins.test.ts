import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { PLUGIN_PROGRAMS, pluginProgram } from "../../../scripts/build-plugins.ts";
import { hookEvent } from "../../../src/cli/agents/hook-event.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PLUGIN = join(ROOT, "plugins/claude-code");
const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));

describe("the plugins", () => {
  it.each(PLUGIN_PROGRAMS)(
    "the committed plugin program equals the build of %s (npm run build:plugins)",
    async (source, program) => {
      expect(readFileSync(join(ROOT, program), "utf8") === (await pluginProgram(source))).toBe(true);
    },
  );

  it("plugin programs load only Node's own modules", () => {
    for (const [, program] of PLUGIN_PROGRAMS) {
      const text = readFileSync(join(ROOT, program), "utf8");
      const loaded = [...text.matchAll(/(?:from|import\() ?"([^"]+)"/g)].map(([, name]) => name);
      expect(loaded.filter((name) => !name?.startsWith("node:"))).toEqual([]);
    }
  });

  it("the Claude Code plugin has the package's version and hooks for known events", () => {
    expect(json(join(PLUGIN, ".claude-plugin/plugin.json")).version).toBe(
      json(join(ROOT, "package.json")).version,
    );
    const { hooks } = json(join(PLUGIN, "hooks/hooks.json"));
    for (const [event, groups] of Object.entries<{ hooks: { command: string }[] }[]>(hooks)) {
      expect(hookEvent(event, { session_id: "s" })).toBeDefined();
      for (const { command } of groups.flatMap((group) => group.hooks)) {
        expect(command).toMatch(new RegExp(`hook claude-code ${event}$`));
        const program = /"\$\{CLAUDE_PLUGIN_ROOT\}\/([^"]+)"/.exec(command)?.[1] ?? "none";
        expect(existsSync(join(PLUGIN, program))).toBe(true);
      }
    }
  });

  it("the repository's marketplace offers the Claude Code plugin", () => {
    const { plugins } = json(join(ROOT, ".claude-plugin/marketplace.json"));
    expect(plugins).toMatchObject([{ name: "ctxdb", source: "./plugins/claude-code" }]);
    const { args } = json(join(PLUGIN, ".mcp.json")).mcpServers.ctxdb;
    expect(existsSync(join(PLUGIN, args[0].replace(/^\$\{CLAUDE_PLUGIN_ROOT\}\//, "")))).toBe(true);
  });
});
