import type { Shape } from "./shape.ts";
import type { Role } from "./world.ts";

/** Interface "Endpoints" with answers 4, one row per endpoint; paths are relative to `/api/v1/`. */
export interface Endpoint {
  readonly call: string;
  /** USER by default. */
  readonly as?: Role;
  /** The minimal request: the query of a GET, otherwise the body; `file` is sent as a form. */
  readonly send?: Readonly<Record<string, unknown>>;
  /** Fields without which the request is invalid. */
  readonly required?: readonly string[];
  /** The value that a missing field stands for. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Whether a second call returns the same answer. */
  readonly reads?: true;
  readonly result: Shape;
}

const QUEUE: Shape = { processed: "integer", error_count: "integer", errors: [{ message: "string" }] };
const QUEUES = { semantic_queue: QUEUE, vector_queue: QUEUE } as const;
const QUEUE_STATUS: Shape = { ...(QUEUE as object), ...QUEUES };
const STAT: Shape = {
  name: "string",
  size: "integer",
  mode: "integer",
  isDir: "boolean",
  uri: "string",
  mtime: "number",
  ctime: "number",
  modTime: "timestamp",
};
const NODE: Shape = { ...(STAT as object), tags: ["string"] };
const HIT: Shape = {
  uri: "string",
  context_type: "string",
  level: "integer",
  abstract: "string",
  overview: "string",
  score: "score",
  match_reason: "string",
  match: "string",
  category: "string",
  relations: [{ uri: "string", abstract: "string" }],
  "source?": "string",
  tags: ["string"],
};
const LISTS = { memories: [HIT], resources: [HIT], skills: [HIT] } as const;
const PLAN: Shape = {
  queries: [{ query: "string", context_type: "string", intent: "string", priority: "integer" }],
  reasoning: "string",
  session_context: "string",
};
const QUERY_RESULT: Shape = {
  query: "string",
  context_type: "string",
  searched_directories: ["string"],
  matched_contexts: [HIT],
  thinking_trace: ["string"],
};
const USER: Shape = { user_id: "string", agent_id: "string" };
const ADDED = {
  status: "=success",
  root_uri: "string",
  source_path: "string",
  errors: ["string"],
  warnings: ["string"],
} as const;
const SKILL: Shape = {
  name: "string",
  uri: "string",
  description: "string",
  tags: ["string"],
  allowed_tools: ["string"],
};
const ADDED_SKILL = {
  status: "=success",
  uri: "string",
  skill_uri: "string",
  root_uri: "string",
  name: "string",
  auxiliary_files: "integer",
  errors: ["string"],
} as const;
const TASK: Shape = {
  task_id: "string",
  task_type: "string",
  status: "string",
  stage: "string",
  progress: { done: "integer", total: "integer" },
  created_at: "timestamp",
  updated_at: "timestamp",
  "result?": "object",
  "error?": "object",
};
const STATS: Shape = {
  total_turns: "integer",
  contexts_used: "integer",
  skills_used: "integer",
  memories_extracted: "integer",
  total_tokens: "integer",
  compression_count: "integer",
};
const component = (name: string): Shape => ({
  name: `=${name}`,
  is_healthy: "boolean",
  has_errors: "boolean",
  status: "string",
});
const FIND = { target_uri: "", limit: 10 };
const LIST = { output: "original", abs_limit: 256, show_all_hidden: false, node_limit: 1000 };
const data = { name: "<name>", description: "d" };

export const ENDPOINTS: readonly Endpoint[] = [
  // administration
  {
    call: "POST admin/accounts",
    as: "root",
    send: { account_id: "<name>", admin_user_id: "ann" },
    required: ["account_id", "admin_user_id"],
    result: { account_id: "string", admin_user_id: "string", user_key: "key" },
  },
  {
    call: "GET admin/accounts",
    as: "root",
    reads: true,
    result: [{ account_id: "string", created_at: "timestamp", user_count: "integer" }],
  },
  { call: "DELETE admin/accounts/<account>", as: "root", result: { deleted: "=true" } },
  {
    call: "POST admin/accounts/<account>/users",
    as: "root",
    send: { user_id: "<name>" },
    required: ["user_id"],
    defaults: { role: "user" },
    result: { account_id: "string", user_id: "string", user_key: "key" },
  },
  {
    call: "GET admin/accounts/acme/users",
    as: "admin",
    reads: true,
    result: [{ user_id: "string", role: "string" }],
  },
  { call: "DELETE admin/accounts/acme/users/<member>", as: "admin", result: { deleted: "=true" } },
  {
    call: "PUT admin/accounts/acme/users/<member>/role",
    as: "root",
    send: { role: "admin" },
    required: ["role"],
    result: { account_id: "=acme", user_id: "string", role: "=admin" },
  },
  { call: "POST admin/accounts/acme/users/<member>/key", as: "admin", result: { user_key: "key" } },
  // resources and skills
  {
    call: "POST resources",
    send: { path: "<path>" },
    required: ["path"],
    defaults: {
      reason: "",
      instruction: "",
      wait: false,
      build_index: true,
      summarize: false,
      strict: true,
      ignore_dirs: "",
      include: "",
      exclude: "",
    },
    result: { ...ADDED, task_id: "string" },
  },
  {
    call: "POST resources",
    send: { path: "<path>", wait: true, timeout: 60 },
    result: { ...ADDED, queue_status: QUEUE_STATUS },
  },
  {
    call: "POST resources",
    send: { temp_path: "<upload>", target: "<new>" },
    result: { ...ADDED, task_id: "string" },
  },
  {
    call: "POST resources/temp_upload",
    send: { file: "a text" },
    required: ["file"],
    result: { temp_path: "string", temp_file_id: "string", size: "=6", sha256: "string" },
  },
  { call: "POST skills", send: { data }, required: ["data"], defaults: { wait: false }, result: ADDED_SKILL },
  { call: "POST skills", send: { data, wait: true }, result: { ...ADDED_SKILL, queue_status: QUEUE_STATUS } },
  { call: "GET skills", reads: true, result: { skills: [SKILL], total: "integer" } },
  {
    call: "GET skills/<skill>",
    reads: true,
    result: { ...(SKILL as object), content: "string", files: ["string"] },
  },
  {
    call: "DELETE skills/<skill>",
    result: { name: "string", uri: "string", deleted: "integer", "trash_id?": "string" },
  },
  {
    call: "POST system/wait",
    send: {},
    result: {
      ...QUEUES,
      pending: "integer",
      in_progress: "integer",
      processed: "integer",
      errors: "integer",
    },
  },
  // file system
  { call: "GET fs/stat", send: { uri: "<file>" }, required: ["uri"], reads: true, result: NODE },
  {
    call: "GET fs/stat",
    send: { uri: "<directory>" },
    reads: true,
    result: { ...(NODE as object), count: "=1" },
  },
  {
    call: "POST fs/mv",
    send: { from_uri: "<file>", to_uri: "<new>" },
    required: ["from_uri", "to_uri"],
    result: { from: "string", to: "string" },
  },
  {
    call: "POST fs/cp",
    send: { from_uri: "<file>", to_uri: "<new>" },
    required: ["from_uri", "to_uri"],
    result: { from: "string", to: "string", copied: "=1" },
  },
  {
    call: "GET fs/ls",
    send: { uri: "<directory>" },
    required: ["uri"],
    defaults: { simple: false, recursive: false, ...LIST },
    reads: true,
    result: [STAT],
  },
  { call: "GET fs/ls", send: { uri: "<directory>", simple: true }, reads: true, result: ["string"] },
  {
    call: "GET fs/ls",
    send: { uri: "<directory>", output: "agent" },
    reads: true,
    result: [{ uri: "string", size: "integer", isDir: "boolean", modTime: "timestamp", abstract: "string" }],
  },
  {
    call: "GET fs/tree",
    send: { uri: "<directory>" },
    required: ["uri"],
    defaults: { ...LIST, level_limit: 3 },
    reads: true,
    result: [{ ...(STAT as object), rel_path: "string" }],
  },
  {
    call: "POST fs/mkdir",
    send: { uri: "<new>" },
    required: ["uri"],
    defaults: { description: "" },
    result: { uri: "string" },
  },
  {
    call: "POST fs/tags",
    send: { uri: "<file>", add: ["reviewed"] },
    required: ["uri"],
    defaults: { remove: [], replace: false },
    result: { uri: "string", tags: ["string"] },
  },
  {
    call: "DELETE fs",
    send: { uri: "<file>" },
    required: ["uri"],
    defaults: { recursive: false, permanent: false },
    result: { uri: "string", deleted: "=1", "trash_id?": "string" },
  },
  {
    call: "POST fs/delete_many",
    send: { uris: ["<file>"] },
    required: ["uris"],
    defaults: { recursive: false, permanent: false },
    result: { nodes: [{ uri: "string", deleted: "=1", "trash_id?": "string" }], deleted: "=1" },
  },
  // contents
  {
    call: "GET content/read",
    send: { uri: "<file>" },
    required: ["uri"],
    defaults: { offset: 0, limit: -1 },
    reads: true,
    result: "string",
  },
  { call: "GET content/download", send: { uri: "<file>" }, required: ["uri"], reads: true, result: "string" },
  { call: "GET content/abstract", send: { uri: "<file>" }, required: ["uri"], reads: true, result: "string" },
  { call: "GET content/overview", send: { uri: "<file>" }, required: ["uri"], reads: true, result: "string" },
  {
    call: "POST content/write",
    send: { uri: "<file>", content: "x" },
    required: ["uri", "content"],
    defaults: { mode: "replace", wait: false },
    result: { uri: "string", mode: "=replace", written_bytes: "=1" },
  },
  {
    call: "POST content/write_many",
    send: { files: [{ uri: "<file>", content: "x" }] },
    required: ["files"],
    defaults: { wait: false },
    result: { files: [{ uri: "string", mode: "=replace", written_bytes: "=1", etag: "string" }] },
  },
  // search
  {
    call: "POST search/find",
    send: { query: "otter" },
    required: ["query"],
    defaults: FIND,
    reads: true,
    result: { ...LISTS, total: "integer" },
  },
  {
    call: "POST search/search",
    send: { query: "otter" },
    required: ["query"],
    defaults: FIND,
    reads: true,
    result: { ...LISTS, query_plan: PLAN, query_results: [QUERY_RESULT], total: "integer" },
  },
  {
    call: "POST search/search",
    send: { query: "otter", session_id: "<session>" },
    result: { ...LISTS, query_plan: PLAN, query_results: [QUERY_RESULT], total: "integer" },
  },
  {
    call: "POST search/grep",
    send: { uri: "<directory>", pattern: "otter" },
    required: ["uri", "pattern"],
    defaults: { case_insensitive: false },
    reads: true,
    result: { matches: [{ uri: "string", line: "=3", content: "string" }], count: "=1" },
  },
  {
    call: "POST search/glob",
    send: { pattern: "resources/rows/*" },
    required: ["pattern"],
    defaults: { uri: "ctx://" },
    reads: true,
    result: { matches: ["string"], count: "integer" },
  },
  // relations
  {
    call: "POST relations/link",
    send: { from_uri: "<file>", to_uri: "<directory>" },
    required: ["from_uri", "to_uri"],
    defaults: { reason: "" },
    result: "nothing",
  },
  {
    call: "POST relations/unlink",
    send: { from_uri: "<file>", to_uri: "<directory>" },
    required: ["from_uri", "to_uri"],
    result: "nothing",
  },
  {
    call: "DELETE relations/link",
    send: { from_uri: "<file>", to_uri: "<new>" },
    required: ["from_uri", "to_uri"],
    result: "nothing",
  },
  {
    call: "GET relations",
    send: { uri: "<file>" },
    required: ["uri"],
    defaults: { direction: "out" },
    reads: true,
    result: [
      { from_uri: "string", to_uri: "string", uri: "string", reason: "string", created_at: "timestamp" },
    ],
  },
  // sessions
  { call: "POST sessions", result: { session_id: "string", user: USER } },
  { call: "POST sessions", send: { session_id: "<name>" }, result: { session_id: "string", user: USER } },
  {
    call: "GET sessions",
    reads: true,
    result: [
      {
        session_id: "string",
        uri: "string",
        user: USER,
        message_count: "integer",
        created_at: "timestamp",
        updated_at: "timestamp",
      },
    ],
  },
  {
    call: "GET sessions/<session>",
    reads: true,
    result: { session_id: "string", user: USER, message_count: "=1" },
  },
  { call: "DELETE sessions/<session>", result: { session_id: "string" } },
  {
    call: "POST sessions/<session>/messages",
    send: { role: "user", content: "x" },
    required: ["role"],
    result: { session_id: "string", message_count: "=2" },
  },
  {
    call: "POST sessions/<session>/commit",
    defaults: { wait: true },
    result: {
      session_id: "string",
      status: "=committed",
      archived: "=true",
      memories_extracted: "integer",
      active_count_updated: "integer",
      stats: STATS,
    },
  },
  {
    call: "POST sessions/<session>/commit",
    send: { wait: false },
    result: { session_id: "string", status: "=accepted", task_id: "string" },
  },
  {
    call: "POST sessions/<session>/used",
    send: { contexts: ["ctx://resources/x"] },
    result: { session_id: "string", contexts_used: "=1", skills_used: "=0" },
  },
  {
    call: "GET sessions/<session>/context",
    reads: true,
    result: {
      latest_archive_overview: "string",
      pre_archive_abstracts: ["object"],
      messages: [{ id: "string", role: "string", parts: ["object"], created_at: "timestamp" }],
      estimated_tokens: "integer",
    },
  },
  { call: "GET tasks/<task>", result: TASK },
  { call: "GET tasks", result: [TASK] },
  // packs
  {
    call: "POST pack/export",
    send: { uri: "<directory>" },
    required: ["uri"],
    defaults: { include_vectors: false },
    result: "string",
  },
  {
    call: "POST pack/import",
    send: { temp_path: "<pack>", parent: "<new>" },
    required: ["temp_path", "parent"],
    defaults: { on_conflict: "fail", force: false, vectorize: true, wait: false },
    result: { uri: "string", files: "=1" },
  },
  // monitoring
  ...(["queue", "vectordb", "vlm"] as const).map(
    (name): Endpoint => ({ call: `GET observer/${name}`, result: component(name) }),
  ),
  {
    call: "GET observer/system",
    result: {
      is_healthy: "=true",
      errors: ["string"],
      components: { queue: component("queue"), vectordb: component("vectordb"), vlm: component("vlm") },
    },
  },
  { call: "GET debug/health", result: { healthy: "=true" } },
  {
    call: "GET system/status",
    result: {
      initialized: "=true",
      version: "string",
      user: "=bob",
      account: "=acme",
      role: "=user",
      uptime: "number",
    },
  },
];

/** Endpoints outside `/api/v1/`, which need no key and have no envelope. */
export const PROBES: readonly { readonly path: string; readonly answer: Shape }[] = [
  { path: "health", answer: { status: "=ok", healthy: "=true", version: "string" } },
  { path: "ready", answer: { status: "=ready", checks: { storage: "=ok", vectors: "=ok", queue: "=ok" } } },
];
