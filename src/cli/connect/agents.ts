import { join } from "node:path";
import type { CliEnvironment } from "../profiles.ts";
import type { Edit, IsOurs, JsonEdit } from "./edits.ts";

/** Target of a connection: where the configuration is, and the values to write. */
export interface ConnectPlace {
  readonly env: CliEnvironment;
  readonly platform: NodeJS.Platform;
  /** Folder of the project to configure; undefined for the user's configuration. */
  readonly project: string | undefined;
  /** Root folder of this package, which contains the plugins. */
  readonly packageRoot: string;
  /** Path of the Node program that runs the plugins. */
  readonly node: string;
  /** CTXDB_* variables to set for the agent. */
  readonly variables: Readonly<Record<string, string>>;
  readonly exists: (path: string) => boolean;
}

export interface ConnectableAgent {
  readonly id: string;
  readonly title: string;
  /** What is installed. */
  readonly gets: "hooks and tools" | "tools" | "gateway";
  /** Folder whose existence indicates that the agent is installed. */
  readonly folder: (place: ConnectPlace) => string;
  readonly edits: (place: ConnectPlace) => readonly Edit[];
  /** Instruction for the user's next step. */
  readonly next: string;
}

const PROGRAM = "ctxdb-agent.mjs";
/**
 * Timeout of a hook in seconds: the maximum that Codex allows at the end of a session. Hooks end much earlier
 * by themselves.
 */
const HOOK_TIMEOUT_SECONDS = 3;
const CODEX_EVENTS = ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "PostCompact", "SessionEnd"];

export const home = ({ env }: ConnectPlace): string => env.HOME ?? env.USERPROFILE ?? "/";
export const configHome = (place: ConnectPlace): string =>
  place.env.XDG_CONFIG_HOME?.startsWith("/") ? place.env.XDG_CONFIG_HOME : join(home(place), ".config");
const programOf = ({ packageRoot }: ConnectPlace): string =>
  join(packageRoot, "plugins", "claude-code", "scripts", PROGRAM);

/** `NAME=value` arguments of the program, because not all agents can set environment variables. */
const assignments = ({ variables }: ConnectPlace): string[] =>
  Object.entries(variables).map(([name, value]) => `${name}=${value}`);

const argsFor = (place: ConnectPlace, ...args: string[]): string[] => [
  programOf(place),
  ...assignments(place),
  ...args,
];

const mentionsProgram: IsOurs = (item) => JSON.stringify(item)?.includes(PROGRAM) === true;

const json = (file: string, path: readonly string[], value: unknown): JsonEdit => ({
  kind: "json",
  file,
  values: [{ path, value }],
  items: [],
});

/** A configuration folder of the user, or the one with the same name in the project. */
const inFolder = (place: ConnectPlace, folder: string): string => join(place.project ?? home(place), folder);

/** An agent that reads its MCP servers from a single JSON file. */
function ofTools(
  id: string,
  title: string,
  folder: (place: ConnectPlace) => string,
  file: (place: ConnectPlace) => string,
  path: readonly string[],
  next: string,
): ConnectableAgent {
  const edits = (place: ConnectPlace) => [
    json(file(place), [...path, "ctxdb"], { command: place.node, args: argsFor(place, "mcp", id) }),
  ];
  return { id, title, gets: "tools", folder, edits, next };
}

/**
 * Path of Claude Code's settings. In a project, the unshared settings, because addresses and paths are
 * specific to this machine.
 */
export function claudeSettings(place: ConnectPlace): string {
  if (place.project) return join(place.project, ".claude", "settings.local.json");
  return join(place.env.CLAUDE_CONFIG_DIR || join(home(place), ".claude"), "settings.json");
}

function claudeCode(place: ConnectPlace): Edit[] {
  const file = claudeSettings(place);
  const source = { source: { source: "directory", path: place.packageRoot } };
  const variables = Object.entries(place.variables);
  return [
    {
      kind: "json",
      file,
      values: [
        { path: ["extraKnownMarketplaces", "ctxdb"], value: source },
        { path: ["enabledPlugins", "ctxdb@ctxdb"], value: true },
        ...variables.map(([name, value]) => ({ path: ["env", name], value })),
      ],
      items: [],
    },
  ];
}

export const codexFolder = (place: ConnectPlace): string =>
  place.project ? join(place.project, ".codex") : place.env.CODEX_HOME || join(home(place), ".codex");

function codex(place: ConnectPlace): Edit[] {
  const folder = codexFolder(place);
  const toml = (text: string): string => JSON.stringify(text);
  const quoted = (text: string): string => `"${text.replace(/["\\$`]/g, "\\$&")}"`;
  const hook = (event: string) => ({
    hooks: [
      {
        type: "command",
        command: [place.node, ...argsFor(place, "hook", "codex", event)].map(quoted).join(" "),
        timeout: HOOK_TIMEOUT_SECONDS,
      },
    ],
  });
  return [
    {
      kind: "toml",
      file: join(folder, "config.toml"),
      table: "mcp_servers.ctxdb",
      lines: [
        "[mcp_servers.ctxdb]",
        `command = ${toml(place.node)}`,
        `args = [${argsFor(place, "mcp", "codex").map(toml).join(", ")}]`,
      ],
    },
    {
      kind: "json",
      file: join(folder, "hooks.json"),
      values: [],
      items: CODEX_EVENTS.map((event) => ({
        path: ["hooks", event],
        item: hook(event),
        isOurs: mentionsProgram,
      })),
    },
  ];
}

export function opencodeSettings(place: ConnectPlace): string {
  const folder = place.project ?? join(configHome(place), "opencode");
  const jsonc = join(folder, "opencode.jsonc");
  return place.exists(jsonc) ? jsonc : join(folder, "opencode.json");
}

function opencode(place: ConnectPlace): Edit[] {
  const file = opencodeSettings(place);
  const plugin = `file://${join(place.packageRoot, "plugins", "opencode", "ctxdb.js")}`;
  const item = Object.keys(place.variables).length === 0 ? plugin : [plugin, place.variables];
  const isOurs: IsOurs = (one) => JSON.stringify(one)?.includes("/opencode/ctxdb.js") === true;
  const command = [place.node, ...argsFor(place, "mcp", "opencode")];
  return [
    {
      ...json(file, ["mcp", "ctxdb"], { type: "local", command, enabled: true }),
      items: [{ path: ["plugin"], item, isOurs }],
    },
  ];
}

/** Settings folder of an editor of the VS Code family. */
function editorFolder(place: ConnectPlace, name: string): string {
  if (place.platform === "darwin") return join(home(place), "Library", "Application Support", name);
  if (place.platform === "win32") return join(place.env.APPDATA ?? home(place), name);
  return join(configHome(place), name);
}

export const zedSettings = (place: ConnectPlace): string =>
  place.project
    ? join(place.project, ".zed", "settings.json")
    : join(configHome(place), "zed", "settings.json");

/** Supported agents in display order. */
export const AGENTS: readonly ConnectableAgent[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    gets: "hooks and tools",
    folder: (place) => place.env.CLAUDE_CONFIG_DIR || join(home(place), ".claude"),
    edits: claudeCode,
    next: "restart Claude Code",
  },
  {
    id: "codex",
    title: "Codex",
    gets: "hooks and tools",
    folder: codexFolder,
    edits: codex,
    next: "restart Codex, and trust the hooks once with its command /hooks",
  },
  {
    id: "opencode",
    title: "opencode",
    gets: "hooks and tools",
    folder: (place) => join(configHome(place), "opencode"),
    edits: opencode,
    next: "restart opencode",
  },
  ofTools(
    "cursor",
    "Cursor",
    (place) => join(home(place), ".cursor"),
    (place) => join(inFolder(place, ".cursor"), "mcp.json"),
    ["mcpServers"],
    "enable the server in the settings of Cursor, under MCP",
  ),
  {
    id: "vscode",
    title: "VS Code",
    gets: "tools",
    folder: (place) => editorFolder(place, "Code"),
    edits: (place) => [
      json(
        place.project
          ? join(place.project, ".vscode", "mcp.json")
          : join(editorFolder(place, "Code"), "User", "mcp.json"),
        ["servers", "ctxdb"],
        { type: "stdio", command: place.node, args: argsFor(place, "mcp", "vscode") },
      ),
    ],
    next: "start the server once with the command MCP: List Servers",
  },
  ofTools(
    "gemini",
    "Gemini CLI",
    (place) => join(home(place), ".gemini"),
    (place) => join(inFolder(place, ".gemini"), "settings.json"),
    ["mcpServers"],
    "restart Gemini CLI",
  ),
  ofTools(
    "openclaw",
    "OpenClaw",
    (place) => join(home(place), ".openclaw"),
    (place) => join(inFolder(place, ".openclaw"), "openclaw.json"),
    ["mcp", "servers"],
    "restart the gateway of OpenClaw",
  ),
  ofTools(
    "windsurf",
    "Windsurf",
    (place) => join(home(place), ".codeium", "windsurf"),
    (place) => join(home(place), ".codeium", "windsurf", "mcp_config.json"),
    ["mcpServers"],
    "refresh the MCP servers in Windsurf",
  ),
  ofTools(
    "zed",
    "Zed",
    (place) => join(configHome(place), "zed"),
    zedSettings,
    ["context_servers"],
    "check the agent panel of Zed",
  ),
  ofTools(
    "claude-desktop",
    "Claude Desktop",
    (place) => editorFolder(place, "Claude"),
    (place) => join(editorFolder(place, "Claude"), "claude_desktop_config.json"),
    ["mcpServers"],
    "restart Claude Desktop",
  ),
];
