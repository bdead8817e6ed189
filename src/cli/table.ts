import type { Define } from "./define.ts";

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly group: string;
  /** Loads the command's module and its dependencies on demand. */
  readonly load: () => Promise<{ readonly define: Define }>;
}

const SERVER = "Run a server";
const CONTENT = "Add and change";
const LOOK = "Look around";
const ASK = "Ask";
const TALK = "Remember";
const AGENTS = "Connect agents";
const WATCH = "Watch and administer";
const HERE = "This command line";

/** All commands in the order of help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    group: SERVER,
    name: "serve",
    summary: "start the server in this terminal",
    load: () => import("./commands/server/serve.ts"),
  },
  {
    group: SERVER,
    name: "mcp",
    summary: "MCP for agents that start a program",
    load: () => import("./commands/server/mcp.ts"),
  },
  {
    group: SERVER,
    name: "doctor",
    summary: "what is missing here, and how to get it",
    load: () => import("./commands/server/doctor.ts"),
  },
  {
    group: SERVER,
    name: "verify",
    summary: "check the data folder of a stopped server",
    load: () => import("./commands/server/verify.ts"),
  },
  {
    group: SERVER,
    name: "restore",
    summary: "make a data folder of a backup",
    load: () => import("./commands/server/restore.ts"),
  },
  {
    group: CONTENT,
    name: "add",
    summary: "add a file, a folder or a URL",
    load: () => import("./commands/content/add.ts"),
  },
  {
    group: CONTENT,
    name: "refresh",
    summary: "import a resource again from its source",
    load: () => import("./commands/content/refresh.ts"),
  },
  {
    group: CONTENT,
    name: "write",
    summary: "write a text file",
    load: () => import("./commands/content/write.ts"),
  },
  {
    group: CONTENT,
    name: "mkdir",
    summary: "make a folder",
    load: () => import("./commands/content/mkdir.ts"),
  },
  {
    group: CONTENT,
    name: "mv",
    summary: "move a file or folder",
    load: () => import("./commands/content/mv.ts"),
  },
  {
    group: CONTENT,
    name: "rm",
    summary: "delete a file or folder",
    load: () => import("./commands/content/rm.ts"),
  },
  {
    group: CONTENT,
    name: "link",
    summary: "link a node to others",
    load: () => import("./commands/content/link.ts"),
  },
  {
    group: CONTENT,
    name: "unlink",
    summary: "remove a link",
    load: () => import("./commands/content/unlink.ts"),
  },
  {
    group: CONTENT,
    name: "skill",
    summary: "skills: list, show, add, rm",
    load: () => import("./commands/content/skill.ts"),
  },
  {
    group: CONTENT,
    name: "export",
    summary: "save a file or folder as a pack",
    load: () => import("./commands/content/export.ts"),
  },
  {
    group: CONTENT,
    name: "import",
    summary: "unpack a pack",
    load: () => import("./commands/content/import.ts"),
  },
  {
    group: CONTENT,
    name: "history",
    summary: "the versions of a file",
    load: () => import("./commands/content/history.ts"),
  },
  {
    group: CONTENT,
    name: "diff",
    summary: "what two versions of a file differ in",
    load: () => import("./commands/content/diff.ts"),
  },
  {
    group: CONTENT,
    name: "revert",
    summary: "make an earlier version of a file the present one",
    load: () => import("./commands/content/revert.ts"),
  },
  { group: LOOK, name: "ls", summary: "list a folder", load: () => import("./commands/browse/ls.ts") },
  {
    group: LOOK,
    name: "tree",
    summary: "show a folder with what is below",
    load: () => import("./commands/browse/tree.ts"),
  },
  {
    group: LOOK,
    name: "stat",
    summary: "what is known of one node",
    load: () => import("./commands/browse/stat.ts"),
  },
  {
    group: LOOK,
    name: "read",
    summary: "print or save a file",
    load: () => import("./commands/browse/read.ts"),
  },
  {
    group: LOOK,
    name: "abstract",
    summary: "a node in one sentence (L0)",
    load: () => import("./commands/browse/abstract.ts"),
  },
  {
    group: LOOK,
    name: "overview",
    summary: "a node in an overview (L1)",
    load: () => import("./commands/browse/overview.ts"),
  },
  {
    group: LOOK,
    name: "relations",
    summary: "the links of a node",
    load: () => import("./commands/browse/relations.ts"),
  },
  {
    group: ASK,
    name: "find",
    summary: "search by meaning and words",
    load: () => import("./commands/browse/find.ts"),
  },
  {
    group: ASK,
    name: "search",
    summary: "search with intent and the history of a session",
    load: () => import("./commands/browse/search.ts"),
  },
  {
    group: ASK,
    name: "recall",
    summary: "what a model should know, as a text to paste",
    load: () => import("./commands/browse/recall.ts"),
  },
  {
    group: ASK,
    name: "grep",
    summary: "lines that match a regular expression",
    load: () => import("./commands/browse/grep.ts"),
  },
  {
    group: ASK,
    name: "glob",
    summary: "paths that match a pattern",
    load: () => import("./commands/browse/glob.ts"),
  },
  {
    group: TALK,
    name: "session",
    summary: "conversations: list, create, show, say, rm",
    load: () => import("./commands/sessions/session.ts"),
  },
  {
    group: TALK,
    name: "commit",
    summary: "archive a session and remember it",
    load: () => import("./commands/sessions/commit.ts"),
  },
  {
    group: TALK,
    name: "remember",
    summary: "keep a statement word for word",
    load: () => import("./commands/sessions/remember.ts"),
  },
  {
    group: TALK,
    name: "forget",
    summary: "forget for good, in memories and conversations",
    load: () => import("./commands/sessions/forget.ts"),
  },
  {
    group: TALK,
    name: "memory",
    summary: "what is remembered: ls, show, edit, history, rm",
    load: () => import("./commands/sessions/memory.ts"),
  },
  {
    group: TALK,
    name: "context",
    summary: "what a model should be given of a session",
    load: () => import("./commands/sessions/context.ts"),
  },
  {
    group: AGENTS,
    name: "connect",
    summary: "connect a coding agent, or list them",
    load: () => import("./commands/agents/connect.ts"),
  },
  {
    group: AGENTS,
    name: "backfill",
    summary: "send old conversations of an agent",
    load: () => import("./commands/agents/backfill.ts"),
  },
  {
    group: AGENTS,
    name: "hook",
    summary: "what hooks of agents call",
    load: () => import("./commands/agents/hook.ts"),
  },
  {
    group: WATCH,
    name: "status",
    summary: "the server, and who you are to it",
    load: () => import("./commands/server/status.ts"),
  },
  {
    group: WATCH,
    name: "wait",
    summary: "wait until all work is done",
    load: () => import("./commands/server/wait.ts"),
  },
  {
    group: WATCH,
    name: "tasks",
    summary: "work that goes on: list, show, wait",
    load: () => import("./commands/server/tasks.ts"),
  },
  {
    group: WATCH,
    name: "observer",
    summary: "the state of queues, vectors and models",
    load: () => import("./commands/server/observer.ts"),
  },
  {
    group: WATCH,
    name: "admin",
    summary: "accounts, users, roles and keys",
    load: () => import("./commands/server/admin.ts"),
  },
  {
    group: WATCH,
    name: "backup",
    summary: "backups of the server: create, list, verify, rm",
    load: () => import("./commands/server/backup.ts"),
  },
  {
    group: HERE,
    name: "login",
    summary: "remember a server and a key",
    load: () => import("./commands/login.ts"),
  },
  {
    group: HERE,
    name: "profile",
    summary: "remembered servers: list, use, rm",
    load: () => import("./commands/profile.ts"),
  },
  {
    group: HERE,
    name: "completion",
    summary: "completion for bash, zsh or fish",
    load: () => import("./commands/completion.ts"),
  },
];
