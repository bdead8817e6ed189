import type { Code } from "../../src/domain/errors.ts";
import type { Role } from "./world.ts";

/** Interface "Errors" with answers 2.6, one row per code. */
export const CODES: readonly (readonly [code: Code, http: number, grpc: number])[] = [
  ["INVALID_ARGUMENT", 400, 3],
  ["INVALID_URI", 400, 3],
  ["NOT_FOUND", 404, 5],
  ["ALREADY_EXISTS", 409, 6],
  ["UNAUTHENTICATED", 401, 16],
  ["PERMISSION_DENIED", 403, 7],
  ["RESOURCE_EXHAUSTED", 429, 8],
  ["FAILED_PRECONDITION", 412, 9],
  ["DEADLINE_EXCEEDED", 504, 4],
  ["UNAVAILABLE", 503, 14],
  ["INTERNAL", 500, 13],
  ["UNIMPLEMENTED", 501, 12],
  ["EMBEDDING_FAILED", 500, 13],
  ["VLM_FAILED", 500, 13],
  ["SESSION_EXPIRED", 410, 5],
];

/** Calls that produce each code; the keys of `details` are those of answers 2.4. */
export interface Failure {
  readonly code: Code;
  readonly call: string;
  readonly body?: object;
  readonly as?: Role;
  readonly details: readonly string[];
}

export const FAILURES: readonly Failure[] = [
  { code: "INVALID_ARGUMENT", call: "POST search/find", body: { query: "" }, details: ["field", "reason"] },
  {
    code: "INVALID_ARGUMENT",
    call: "POST search/find",
    body: { query: "x", limit: 0 },
    details: ["field", "reason"],
  },
  {
    code: "INVALID_ARGUMENT",
    call: "POST search/find",
    body: { query: "x", limit: 1001 },
    details: ["field", "reason"],
  },
  {
    code: "INVALID_ARGUMENT",
    call: "POST search/find",
    body: { query: "x", score_threshold: 1.1 },
    details: ["field", "reason"],
  },
  {
    code: "INVALID_ARGUMENT",
    call: "POST search/grep",
    body: { uri: "<directory>", pattern: "(" },
    details: ["field", "reason"],
  },
  {
    code: "INVALID_ARGUMENT",
    call: "POST search/grep",
    body: { uri: "<directory>", pattern: "x", node_limit: 0 },
    details: ["field", "reason"],
  },
  {
    code: "INVALID_ARGUMENT",
    call: "POST search/glob",
    body: { pattern: "*", node_limit: -1 },
    details: ["field", "reason"],
  },
  { code: "INVALID_ARGUMENT", call: "GET content/read?uri=<directory>", details: ["field", "reason"] },
  {
    code: "INVALID_ARGUMENT",
    call: "POST resources",
    body: { path: "<path>", target: "ctx://user/bob/x" },
    details: ["field", "reason"],
  },
  { code: "INVALID_ARGUMENT", call: "POST system/wait", body: { timeout: -1 }, details: ["field", "reason"] },
  {
    code: "INVALID_ARGUMENT",
    call: "POST fs/mv",
    body: { from_uri: "<directory>", to_uri: "<directory>/x" },
    details: ["field", "reason"],
  },
  {
    code: "INVALID_ARGUMENT",
    call: "POST admin/accounts",
    as: "root",
    body: { account_id: "-a", admin_user_id: "ann" },
    details: ["field", "reason"],
  },
  { code: "INVALID_URI", call: "GET fs/stat?uri=nowhere", details: ["uri", "reason"] },
  { code: "NOT_FOUND", call: "GET fs/stat?uri=<new>", details: ["resource", "type"] },
  { code: "NOT_FOUND", call: "GET fs/ls?uri=<new>", details: ["resource", "type"] },
  { code: "NOT_FOUND", call: "GET sessions/none", details: ["resource", "type"] },
  {
    code: "NOT_FOUND",
    call: "POST search/search",
    body: { query: "x", session_id: "none" },
    details: ["resource", "type"],
  },
  {
    code: "NOT_FOUND",
    call: "POST sessions/none/messages",
    body: { role: "user", content: "x" },
    details: ["resource", "type"],
  },
  { code: "NOT_FOUND", call: "GET skills/none", details: ["resource", "type"] },
  { code: "NOT_FOUND", call: "GET tasks/none", details: ["resource", "type"] },
  {
    code: "NOT_FOUND",
    call: "POST pack/import",
    body: { temp_path: "none", parent: "ctx://resources" },
    details: ["resource", "type"],
  },
  { code: "NOT_FOUND", call: "DELETE admin/accounts/none", as: "root", details: ["resource", "type"] },
  {
    code: "NOT_FOUND",
    call: "DELETE admin/accounts/acme/users/none",
    as: "admin",
    details: ["resource", "type"],
  },
  { code: "NOT_FOUND", call: "GET nowhere", details: ["resource", "type"] },
  {
    code: "ALREADY_EXISTS",
    call: "POST fs/mkdir",
    body: { uri: "<directory>" },
    details: ["resource", "type"],
  },
  {
    code: "ALREADY_EXISTS",
    call: "POST content/write",
    body: { uri: "<file>", content: "", mode: "create" },
    details: ["resource", "type"],
  },
  {
    code: "ALREADY_EXISTS",
    call: "POST sessions",
    body: { session_id: "<session>" },
    details: ["resource", "type"],
  },
  {
    code: "ALREADY_EXISTS",
    call: "POST admin/accounts",
    as: "root",
    body: { account_id: "acme", admin_user_id: "x" },
    details: ["resource", "type"],
  },
  {
    code: "ALREADY_EXISTS",
    call: "POST admin/accounts/acme/users",
    as: "admin",
    body: { user_id: "bob" },
    details: ["resource", "type"],
  },
  { code: "UNAUTHENTICATED", call: "GET system/status", as: "nobody", details: [] },
  { code: "PERMISSION_DENIED", call: "GET admin/accounts", details: [] },
  {
    code: "PERMISSION_DENIED",
    call: "POST pack/export",
    body: { uri: "<directory>", to: "/tmp/x" },
    details: ["resource", "reason"],
  },
  {
    code: "PERMISSION_DENIED",
    call: "POST resources",
    body: { path: "/etc/passwd" },
    details: ["resource", "reason"],
  },
  { code: "FAILED_PRECONDITION", call: "DELETE fs?uri=<directory>", details: ["resource", "reason"] },
  {
    code: "FAILED_PRECONDITION",
    call: "POST fs/mv",
    body: { from_uri: "<file>", to_uri: "<directory>" },
    details: ["resource", "reason"],
  },
  {
    code: "FAILED_PRECONDITION",
    call: "DELETE admin/accounts/other/users/eve",
    as: "root",
    details: ["resource", "reason"],
  },
  {
    code: "DEADLINE_EXCEEDED",
    call: "POST skills",
    body: { data: { name: "<name>", description: "d" }, wait: true, timeout: 0 },
    details: ["operation", "timeout", "uri"],
  },
  {
    code: "SESSION_EXPIRED",
    call: "POST sessions/expired/messages",
    body: { role: "user", content: "x" },
    details: ["session_id"],
  },
  { code: "SESSION_EXPIRED", call: "POST sessions/expired/commit", details: ["session_id"] },
  {
    code: "SESSION_EXPIRED",
    call: "POST sessions/expired/used",
    body: { contexts: [] },
    details: ["session_id"],
  },
];

/**
 * Interface "Authentication", the permission matrix: each operation on the caller's own account and on
 * another one.
 */
export interface Permission {
  readonly operation: string;
  readonly call: string;
  readonly body?: object;
  /** Root, administrator and user. */
  readonly may: Readonly<Record<Exclude<Role, "nobody">, boolean>>;
}

const ROOT_ALONE = { root: true, admin: false, user: false };
const ROOT_AND_ADMIN = { root: true, admin: true, user: false };

export const PERMISSIONS: readonly Permission[] = [
  {
    operation: "create workspace",
    call: "POST admin/accounts",
    body: { account_id: "<name>", admin_user_id: "a" },
    may: ROOT_ALONE,
  },
  { operation: "list workspaces", call: "GET admin/accounts", may: ROOT_ALONE },
  { operation: "delete workspace", call: "DELETE admin/accounts/<account>", may: ROOT_ALONE },
  {
    operation: "register user, own account",
    call: "POST admin/accounts/acme/users",
    body: { user_id: "<name>" },
    may: ROOT_AND_ADMIN,
  },
  {
    operation: "register user, other account",
    call: "POST admin/accounts/other/users",
    body: { user_id: "<name>" },
    may: ROOT_ALONE,
  },
  {
    operation: "remove user, own account",
    call: "DELETE admin/accounts/acme/users/<member>",
    may: ROOT_AND_ADMIN,
  },
  {
    operation: "remove user, other account",
    call: "DELETE admin/accounts/other/users/<other-member>",
    may: ROOT_ALONE,
  },
  {
    operation: "regenerate user key, own account",
    call: "POST admin/accounts/acme/users/<member>/key",
    may: ROOT_AND_ADMIN,
  },
  {
    operation: "regenerate user key, other account",
    call: "POST admin/accounts/other/users/eve/key",
    may: ROOT_ALONE,
  },
  { operation: "list users, own account", call: "GET admin/accounts/acme/users", may: ROOT_AND_ADMIN },
  { operation: "list users, other account", call: "GET admin/accounts/other/users", may: ROOT_ALONE },
  {
    operation: "list users, an account that is none",
    call: "GET admin/accounts/none/users",
    may: { root: false, admin: false, user: false },
  },
  {
    operation: "change user role, own account",
    call: "PUT admin/accounts/acme/users/<member>/role",
    body: { role: "admin" },
    may: ROOT_ALONE,
  },
  {
    operation: "change user role, other account",
    call: "PUT admin/accounts/other/users/eve/role",
    body: { role: "admin" },
    may: ROOT_ALONE,
  },
];

/** Interface "Namespace layout" with answers 3: what a user finds at a URI. */
export const READABLE: readonly (readonly [uri: string, code: Code | "OK"])[] = [
  ["ctx://", "OK"],
  ["ctx://resources", "OK"],
  ["ctx://resources/", "OK"],
  ["ctx://user", "OK"],
  ["ctx://user/bob", "OK"],
  ["ctx://user/bob/memories", "OK"],
  ["ctx://user/ann", "NOT_FOUND"],
  ["ctx://user/ann/memories", "NOT_FOUND"],
  ["ctx://agent", "OK"],
  ["ctx://agent/default", "OK"],
  ["ctx://agent/default/memories", "OK"],
  ["ctx://agent/skills", "OK"],
  ["ctx://skills", "OK"],
  ["ctx://session", "OK"],
  ["ctx://session/bob", "OK"],
  ["ctx://session/ann", "NOT_FOUND"],
  ["ctx://elsewhere", "INVALID_URI"],
  ["CTX://resources", "INVALID_URI"],
  ["http://resources", "INVALID_URI"],
  ["viking://resources", "INVALID_URI"],
  ["/resources", "INVALID_URI"],
  ["resources", "INVALID_URI"],
  ["ctx:/resources", "INVALID_URI"],
  ["ctx://resources//a", "INVALID_URI"],
  ["ctx://resources/.", "INVALID_URI"],
  ["ctx://resources/../user", "INVALID_URI"],
  ["ctx://resources/a\\b", "INVALID_URI"],
  ["ctx://resources/a\u0007", "INVALID_URI"],
  ["ctx://resources/a\u2028", "INVALID_URI"],
  ["ctx://resources/\u202eevil", "INVALID_URI"],
  [`ctx://resources/${"a".repeat(255)}`, "NOT_FOUND"],
  [`ctx://resources/${"a".repeat(256)}`, "INVALID_URI"],
  [`ctx://resources/${"\u00e9".repeat(128)}`, "INVALID_URI"],
  [`ctx://resources${"/a".repeat(63)}`, "NOT_FOUND"],
  [`ctx://resources${"/a".repeat(64)}`, "INVALID_URI"],
  [`ctx://resources${`/${"a".repeat(250)}`.repeat(17)}`, "INVALID_URI"],
  ["ctx://resources/a%2Fb", "NOT_FOUND"],
  ["ctx://resources/\u200d", "NOT_FOUND"],
];

/** What a user may create where (answers 3, rulings N4 to N8). */
export const WRITABLE: readonly (readonly [uri: string, code: Code | "OK"])[] = [
  ["ctx://resources/made", "OK"],
  ["ctx://resources/made/e\u0301", "OK"],
  ["ctx://resources/.hidden", "OK"],
  ["ctx://user/bob/made", "OK"],
  ["ctx://user/bob/memories/made", "OK"],
  ["ctx://agent/helper/made", "OK"],
  ["ctx://skills/made", "OK"],
  ["ctx://agent/skills/made", "ALREADY_EXISTS"],
  ["ctx://", "PERMISSION_DENIED"],
  ["ctx://resources", "PERMISSION_DENIED"],
  ["ctx://user", "PERMISSION_DENIED"],
  ["ctx://user/bob", "PERMISSION_DENIED"],
  ["ctx://agent/helper", "PERMISSION_DENIED"],
  ["ctx://agent/skills", "PERMISSION_DENIED"],
  ["ctx://session/bob", "PERMISSION_DENIED"],
  ["ctx://session/bob/x", "PERMISSION_DENIED"],
  ["ctx://user/ann/made", "NOT_FOUND"],
  ["ctx://session/ann/made", "NOT_FOUND"],
  ["ctx://agent/-a-/made", "INVALID_ARGUMENT"],
  ["ctx://resources/.abstract.md", "INVALID_ARGUMENT"],
  ["ctx://resources/.overview.md", "INVALID_ARGUMENT"],
  ["ctx://resources/.meta.json", "INVALID_ARGUMENT"],
  ["ctx://resources/.relations.json", "INVALID_ARGUMENT"],
  ["ctx://resources/.meta.json/below", "INVALID_ARGUMENT"],
];

/** Answers 2.10 and ruling C13: valid identifiers. */
export const IDENTIFIERS: readonly (readonly [id: string, isOne: boolean])[] = [
  ["a", true],
  ["Acme-1_x.y@z", true],
  ["0", true],
  ["a".repeat(64), true],
  ["a".repeat(65), false],
  ["", false],
  [".meta.json", false],
  ["-a", false],
  ["_a", false],
  ["@a", false],
  ["a b", false],
  ["a/b", false],
  ["ä", false],
];
