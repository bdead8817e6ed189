// Generated from src/cli/plugin-main.ts by npm run build:plugins: change the source.

// src/base/clock.ts
var systemClock = () => Date.now();

// src/base/client-variables.ts
var CLIENT_VARIABLES = {
  address: "CTXDB_ADDRESS",
  key: "CTXDB_API_KEY",
  agent: "CTXDB_AGENT",
  account: "CTXDB_ACCOUNT",
  user: "CTXDB_USER",
  profile: "CTXDB_PROFILE",
  project: "CTXDB_PROJECT",
  hookLimit: "CTXDB_HOOK_LIMIT_MS"
};

// src/cli/exit-code.ts
var EXIT = {
  ok: 0,
  error: 1,
  /** Unknown command or option, or missing argument. */
  usage: 2,
  notFound: 3,
  /** No key, a wrong key, or no permission. */
  denied: 4,
  /** The server is unreachable or busy, or timed out: the same call may succeed later. */
  unavailable: 5,
  /** Interrupted by SIGINT; the value that shells use. */
  interrupted: 130
}, BY_CODE = {
  NOT_FOUND: EXIT.notFound,
  SESSION_EXPIRED: EXIT.notFound,
  UNAUTHENTICATED: EXIT.denied,
  PERMISSION_DENIED: EXIT.denied,
  UNAVAILABLE: EXIT.unavailable,
  RESOURCE_EXHAUSTED: EXIT.unavailable,
  DEADLINE_EXCEEDED: EXIT.unavailable,
  CANCELLED: EXIT.interrupted
};

// src/cli/cli-errors.ts
var UsageError = class extends Error {
}, LocalError = class extends Error {
  exitCode;
  constructor(message, exitCode = EXIT.error) {
    super(message), this.exitCode = exitCode;
  }
};

// src/cli/profiles.ts
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

// src/base/expect.ts
var isObject = (value) => typeof value == "object" && value !== null && !Array.isArray(value);

// src/base/faults.ts
var faultOf = (error) => typeof error == "object" && error !== null ? error : {};
function codeOf(error) {
  let { code } = faultOf(error);
  return typeof code == "string" ? code : "";
}
function messageOf(error) {
  let { message } = faultOf(error);
  return typeof message == "string" ? message : String(error);
}
function ignoreMissing(error) {
  if (codeOf(error) !== "ENOENT") throw error;
}

// src/cli/profiles.ts
var DEFAULT_PROFILE = "default", NONE = { current: DEFAULT_PROFILE, profiles: {} }, MAX_FILE_CHARACTERS = 1024 * 1024;
function profilesFile(env) {
  let base = env.XDG_CONFIG_HOME?.startsWith("/") ? env.XDG_CONFIG_HOME : join(env.HOME ?? "/", ".config");
  return join(base, "ctxdb", "config.json");
}
async function readProfiles(file) {
  let text;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return NONE;
    throw error;
  }
  let found = text.length <= MAX_FILE_CHARACTERS ? parsed(text) : void 0;
  if (found === void 0)
    throw new LocalError(`${file} is not a valid profile file: fix it, or delete it and run \`ctxdb login\``);
  return found;
}
function parsed(text) {
  try {
    let tree = JSON.parse(text);
    return isProfiles(tree) ? { current: tree.current, profiles: tree.profiles } : void 0;
  } catch {
    return;
  }
}
var isProfiles = (value) => isObject(value) && typeof value.current == "string" && typeof value.profiles == "object" && value.profiles !== null && Object.values(value.profiles).every(isProfile);
function isProfile(fields) {
  if (!isObject(fields)) return !1;
  let isText = (name) => fields[name] === void 0 || typeof fields[name] == "string";
  return typeof fields.address == "string" && ["key", "agent", "account", "user"].every(isText);
}

// src/cli/target.ts
var DEFAULT_ADDRESS = "http://127.0.0.1:1933";
async function targetOf(options, env) {
  let variables = fromVariables(env), { name, profile } = await profileOf(
    options.profile ?? (env[CLIENT_VARIABLES.profile] || void 0),
    env
  ), isNamed = options.profile !== void 0, [first, second] = isNamed ? [profile, variables] : [variables, profile], address = normal(options.address ?? first?.address ?? second?.address ?? DEFAULT_ADDRESS), own = profile !== void 0 && normal(profile.address) === address ? profile : void 0, order = isNamed ? [options, own, variables] : [options, variables, own], found = ["key", "agent", "account", "user"].flatMap((field) => {
    let value = order.map((source) => source?.[field]).find((one) => one !== void 0);
    return value === void 0 ? [] : [[field, value]];
  });
  return { address, ...Object.fromEntries(found), ...own && name !== void 0 && { profile: name } };
}
async function profileOf(named, env) {
  let { current, profiles } = await readProfiles(profilesFile(env)), name = named ?? current, profile = Object.hasOwn(profiles, name) ? profiles[name] : void 0;
  if (named !== void 0 && profile === void 0)
    throw new LocalError(`profile not found: ${named}; list profiles with \`ctxdb profile list\``);
  return profile ? { name, profile } : {};
}
function fromVariables(env) {
  return Object.fromEntries(
    ["address", "key", "agent", "account", "user"].flatMap((field) => env[CLIENT_VARIABLES[field]] ? [[field, env[CLIENT_VARIABLES[field]]]] : [])
  );
}
var PATHS = /* @__PURE__ */ new Set(["", "/", "/studio", "/studio/"]);
function normal(address) {
  let url = /^https?:\/\//.test(address) ? address : `http://${address}`;
  if (!URL.canParse(url) || !PATHS.has(new URL(url).pathname))
    throw new UsageError(
      `invalid address "${address}": it must be host:port, http://host:port or https://host:port`
    );
  return new URL(url).origin;
}

// src/cli/agents/hook-answer.ts
import { spawn } from "node:child_process";

// src/cli/agents/flush.ts
import { readdirSync as readdirSync2, readFileSync as readFileSync3, renameSync as renameSync2, rmSync as rmSync3, statSync as statSync2, writeFileSync as writeFileSync2 } from "node:fs";
import { join as join4 } from "node:path";

// src/base/capture/redact.ts
var REDACTED = "[redacted]", PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, KEYS = [
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g,
  /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bAKIA[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  // match only at the start of a token: matching from each hyphen would take quadratic time
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g
], NAMED = /((?:secret|token|password|passwd|api[_-]?key|private[_-]?key)["']?\s{0,4}[:=]\s{0,4}["']?)([^\s"',;]{8,})/gi, BEARER = /(\b(?:bearer|basic)\s+)([A-Za-z0-9+/_.~=-]{16,})/gi, IN_ADDRESS = /([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,100}:)([^\s/@]{1,200})(@)/gi;
function redacted(text) {
  let clean = withoutPrivateKeys(text);
  for (let key of KEYS) clean = clean.replace(key, REDACTED);
  return clean.replace(BEARER, `$1${REDACTED}`).replace(IN_ADDRESS, `$1${REDACTED}$3`).replace(NAMED, `$1${REDACTED}`);
}
var withoutPrivateKeys = (text) => text.replace(PRIVATE_KEY, REDACTED);

// src/base/capture/captured-message.ts
var MAX_TEXT = 2e4, MAX_INPUT_VALUE = 1e3, MAX_INPUT_FIELDS = 20, MAX_OUTPUT = 2e3, MAX_INPUT_NAME = 100, MAX_SECRET = 8192, RECALLED = "Recalled from ctxdb.", NOTICES = [
  "system-reminder",
  "environment_context",
  "local-command-caveat",
  "user_instructions",
  "ctxdb-recall"
];
function withoutNotices(text) {
  let written = text;
  for (let name of NOTICES) written = withoutElement(written, `<${name}>`, `</${name}>`);
  return written.trim();
}
function withoutElement(text, opening, closing) {
  let kept2 = [], from = 0;
  for (let start = text.indexOf(opening); start >= 0; start = text.indexOf(opening, from)) {
    let end = text.indexOf(closing, start + opening.length);
    if (end < 0) break;
    kept2.push(text.slice(from, start)), from = end + closing.length;
  }
  return from === 0 ? text : kept2.join("") + text.slice(from);
}
function textPart(text) {
  let said = withoutNotices(text);
  return said === "" || said.startsWith(RECALLED) ? void 0 : { type: "text", text: kept(said, MAX_TEXT) };
}
function toolPart(call, output, isError) {
  return {
    type: "tool",
    tool_id: call.id.slice(0, 128),
    tool_name: call.name.slice(0, 128),
    tool_input: inputOf(call.input),
    tool_output: kept(output, MAX_OUTPUT),
    tool_status: isError ? "error" : "completed"
  };
}
function inputOf(input) {
  let fields = isObject(input) ? Object.entries(input) : [["input", input]];
  return Object.fromEntries(
    fields.slice(0, MAX_INPUT_FIELDS).map(([name, value]) => {
      let text = typeof value == "string" ? value : JSON.stringify(value) ?? "", shown = name.slice(0, MAX_INPUT_NAME);
      return [shown, kept(`${shown}=${text}`, MAX_INPUT_VALUE).slice(shown.length + 1)];
    })
  );
}
function kept(text, limit) {
  let reach = Math.floor(limit / 2) + MAX_SECRET, rest = text.length > 2 * reach ? withoutPrivateKeys(text) : text;
  if (rest.length <= 2 * reach) return shortened(redacted(rest), limit);
  let half = Math.floor(limit / 2), [beginning, end] = [redacted(rest.slice(0, reach)), redacted(rest.slice(-reach))];
  return `${beginning.slice(0, half)}
[\u2026]
${end.slice(-half)}`.toWellFormed();
}
function shortened(text, limit) {
  if (text.length <= limit) return text.toWellFormed();
  let half = Math.floor(limit / 2);
  return `${text.slice(0, half)}
[\u2026]
${text.slice(-half)}`.toWellFormed();
}
var fieldOf = (value, name) => isObject(value) && Object.hasOwn(value, name) ? value[name] : void 0;
function textField(value, name) {
  let field = fieldOf(value, name);
  return typeof field == "string" ? field : void 0;
}

// src/cli/agents/file-lock.ts
import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
function lockFile(path, now, staleMs) {
  for (let attempt = 0; attempt < 2; attempt++)
    try {
      let file = openSync(path, "wx", 384);
      return writeSync(file, String(process.pid)), closeSync(file), () => rmSync(path, { force: !0 });
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      if (isLocked(path, now, staleMs)) return;
      rmSync(path, { force: !0 });
    }
}
function isLocked(path, now, staleMs) {
  let taken = statSync(path, { throwIfNoEntry: !1 })?.mtimeMs;
  if (taken === void 0 || now() - taken > staleMs) return !1;
  try {
    let pid = Number(readFileSync(path, "utf8"));
    return pid > 0 && process.kill(pid, 0), !0;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

// src/cli/agents/rest-call.ts
var MAX_ANSWER_BYTES = 4 * 1024 * 1024, Unreachable = class extends Error {
  /** Error code of the API; undefined if the server did not respond. */
  code;
  constructor(message, code) {
    super(message), this.code = code;
  }
};
async function restCall(target, agent, { method, path, body, signal }) {
  let who = {
    "X-API-Key": target.key,
    "X-Ctx-Agent": target.agent ?? agent,
    "X-Ctx-Account": target.account,
    "X-Ctx-User": target.user
  }, said = Object.entries(who).filter((entry) => entry[1] !== void 0), headers = { "Content-Type": "application/json", ...Object.fromEntries(said) }, send2 = process.versions.bun === void 0 ? byHttp : byFetch;
  try {
    let url = new URL(`/api/v1/${path}`, target.address);
    return answerOf(await send2({ url, method, headers, body: JSON.stringify(body), signal }));
  } catch (error) {
    throw new Unreachable(`no answer from ${target.address}: ${messageOf(error)}`);
  }
}
async function byHttp({ url, method, headers, body, signal }) {
  let { request } = await (url.protocol === "https:" ? import("node:https") : import("node:http")), length = { "Content-Length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    let sent = request(url, { method, headers: { ...headers, ...length }, signal }, (response) => {
      bodyOf(response).then((text) => resolve({ http: response.statusCode ?? 0, text }), reject);
    });
    sent.on("error", reject), sent.end(body);
  });
}
async function byFetch({ url, ...call }) {
  let response = await fetch(url, { ...call, redirect: "manual" });
  if (Number(response.headers.get("content-length")) > MAX_ANSWER_BYTES)
    throw new Error("the answer is too long");
  return { http: response.status, text: await response.text() };
}
async function bodyOf(response) {
  let chunks = [], bytes = 0;
  for await (let chunk of response) {
    if (bytes += chunk.byteLength, bytes > MAX_ANSWER_BYTES) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
function answerOf({ http, text }) {
  let tree = parsed2(text), error = fieldOf(tree, "error");
  return http === 200 && fieldOf(tree, "result") !== void 0 ? { http, result: fieldOf(tree, "result") } : {
    http,
    code: textField(error, "code") ?? "UNAVAILABLE",
    message: textField(error, "message") ?? `status ${http}`,
    field: textField(fieldOf(error, "details"), "field")
  };
}
function parsed2(text) {
  try {
    return JSON.parse(text);
  } catch {
    return;
  }
}

// src/cli/agents/state-folder.ts
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join as join2 } from "node:path";
var DIGEST_CHARACTERS = 24;
function stateFolder(env) {
  let base = env.XDG_STATE_HOME?.startsWith("/") ? env.XDG_STATE_HOME : join2(env.HOME ?? env.USERPROFILE ?? "/", ".local", "state");
  return join2(base, "ctxdb");
}
function targetFolder(env, target) {
  let { address, key = "", account = "", user = "" } = target;
  return join2(stateFolder(env), "hooks", digest([address, key, account, user].join(`
`)));
}
var digest = (text) => createHash("sha256").update(text).digest("hex").slice(0, DIGEST_CHARACTERS);
function ownFolder(path) {
  return mkdirSync(path, { recursive: !0, mode: 448 }), path;
}

// src/cli/agents/server-session.ts
var NOT_IN_ID = /[^A-Za-z0-9_.@-]/g, MAX_ID = 64, RECALL_CHARACTERS = 8e3, RECALL_TOKENS = 1500, MAX_QUERY = 4e3, OF_MESSAGE = /^(?:id|role|content|parts)\b/, Refused = class extends Error {
  code;
  /** Whether the content of one message is the reason, such as a secret; others may be accepted. */
  isOfMessage;
  constructor({ code = "", message = "", field = "" }) {
    super(`${code}: ${message}`), this.code = code, this.isOfMessage = code === "INVALID_ARGUMENT" && OF_MESSAGE.test(field);
  }
}, LATER = /* @__PURE__ */ new Set([
  "UNAVAILABLE",
  "RESOURCE_EXHAUSTED",
  "DEADLINE_EXCEEDED",
  "INTERNAL",
  "UNAUTHENTICATED",
  "PERMISSION_DENIED"
]), ServerSession = class {
  #target;
  #agent;
  id;
  constructor(target, agent, session) {
    this.#target = target, this.#agent = agent;
    let id = `${agent}-${session}`.replace(NOT_IN_ID, "-"), isPlain = id === `${agent}-${session}` && id.length <= MAX_ID;
    this.id = isPlain ? id : `${agent}-${digest(session)}`.slice(0, MAX_ID);
  }
  /** Memories relevant to a prompt that this session has not received yet; "" if none. */
  async recall(prompt, options) {
    let { project, restart, signal } = options, found = await this.#post(
      "search/recall",
      {
        query: prompt.slice(0, MAX_QUERY).toWellFormed(),
        session_id: this.id,
        character_budget: RECALL_CHARACTERS,
        token_budget: RECALL_TOKENS,
        ...project && { project },
        ...restart && { restart }
      },
      signal
    );
    return (textField(found, "added") ?? "").slice(0, RECALL_CHARACTERS);
  }
  /** Adds a message; repeated calls store it only once. */
  async add({ id, role, parts }, signal) {
    let path = `sessions/${encodeURIComponent(this.id)}/messages`;
    await this.#post(path, { id, role, parts }, signal);
  }
  /** Starts a commit in the background. */
  async commit(signal) {
    await this.#post(`sessions/${encodeURIComponent(this.id)}/commit`, { wait: !1 }, signal);
  }
  /**
   * Calls an operation of the session, and creates the session if it is missing. Throws Unreachable and
   * Refused.
   */
  async #post(path, body, signal) {
    let call = { method: "POST", path, body, signal }, answer2 = await restCall(this.#target, this.#agent, call);
    if (answer2.code === "NOT_FOUND") {
      let made = { method: "POST", path: "sessions", body: { session_id: this.id }, signal }, { code } = await restCall(this.#target, this.#agent, made);
      (code === void 0 || code === "ALREADY_EXISTS") && (answer2 = await restCall(this.#target, this.#agent, call));
    }
    if (answer2.code === void 0) return answer2.result;
    throw LATER.has(answer2.code) || answer2.http >= 500 ? new Unreachable(`${answer2.code}: ${answer2.message}`, answer2.code) : new Refused(answer2);
  }
};

// src/cli/agents/spool.ts
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync as readFileSync2, renameSync, rmSync as rmSync2, writeFileSync } from "node:fs";
import { join as join3 } from "node:path";
var MAX_RECORDS = 5e3, MAX_RECORD_BYTES = 1024 * 1024, MAX_SPOOL_BYTES = 64 * 1024 * 1024, MAX_REJECTED = 100, NAME = /^[0-9a-z]{9}-[0-9a-z]{4}-[0-9a-f]{12}-(\d{1,8})\.json$/, SpoolFull = class extends Error {
}, HookQueue = class {
  #folder;
  #now;
  #sequence = 0;
  constructor(folder, now) {
    this.#folder = join3(folder, "spool"), this.#now = now;
  }
  /** Adds a record. Throws SpoolFull, and file system errors. */
  add(record) {
    let text = JSON.stringify(record), bytes = Buffer.byteLength(text);
    if (bytes > MAX_RECORD_BYTES)
      throw new SpoolFull(`a record of ${bytes} bytes, above ${MAX_RECORD_BYTES}`);
    let waiting = this.names();
    if (waiting.length >= MAX_RECORDS) throw new SpoolFull(`the queue holds ${MAX_RECORDS} records`);
    if (waiting.reduce((sum, name) => sum + sizeIn(name), bytes) > MAX_SPOOL_BYTES)
      throw new SpoolFull(`the queue holds ${MAX_SPOOL_BYTES} bytes`);
    ownFolder(this.#folder);
    let time = this.#now().toString(36).padStart(9, "0"), sequence = (this.#sequence++).toString(36).padStart(4, "0"), file = join3(this.#folder, `${time}-${sequence}-${randomBytes(6).toString("hex")}-${bytes}.json`);
    writeFileSync(`${file}.part`, text, { mode: 384 }), renameSync(`${file}.part`, file);
  }
  /** Names of the queued records, oldest first. */
  names() {
    try {
      return readdirSync(this.#folder).filter((name) => NAME.test(name)).sort();
    } catch (error) {
      return ignoreMissing(error), [];
    }
  }
  /** Reads a record. An unreadable one is moved to the rejected records: undefined. */
  read(name) {
    let tree = parsed2(readFileSync2(join3(this.#folder, name), "utf8")), [agent, session, work] = [textField(tree, "agent"), textField(tree, "session"), workOf(tree)];
    if (agent !== void 0 && session !== void 0 && work !== void 0)
      return { name, agent, session, work };
    this.reject(name);
  }
  remove(name) {
    rmSync2(join3(this.#folder, name), { force: !0 });
  }
  /** Moves a record to the rejected ones. */
  reject(name) {
    let aside = ownFolder(join3(this.#folder, "rejected"));
    for (let old of readdirSync(aside).sort().slice(0, -MAX_REJECTED))
      rmSync2(join3(aside, old), { force: !0 });
    renameSync(join3(this.#folder, name), join3(aside, name));
  }
};
var sizeIn = (name) => Number(NAME.exec(name)?.[1] ?? 0);
function workOf(tree) {
  let work = isObject(tree) ? tree.work : void 0;
  return isWork(work) ? work : void 0;
}
var isWork = (work) => isObject(work) && (work.kind === "commit" || work.kind === "messages" && Array.isArray(work.messages) || work.kind === "transcript" && typeof work.path == "string" && typeof work.size == "number");

// src/cli/agents/transcripts/claude-code.ts
var COMMAND = /^\s*<(command-name|command-message|command-args|local-command-stdout|bash-stdout|bash-input)>/, INTERRUPTED = "[Request interrupted by user";
function claudeCodeEntries({ value }) {
  let [type, id] = [textField(value, "type"), textField(value, "uuid")];
  if (type !== "user" && type !== "assistant" || id === void 0 || ["isSidechain", "isMeta", "isCompactSummary"].some((name) => fieldOf(value, name) === !0)) return;
  let content = fieldOf(fieldOf(value, "message"), "content"), blocks = Array.isArray(content) ? content : [{ type: "text", text: content }];
  return {
    id,
    at: textField(value, "timestamp"),
    entries: blocks.flatMap((block) => entryOf(block, type) ?? [])
  };
}
function entryOf(block, role) {
  switch (textField(block, "type")) {
    case "text": {
      let text = textField(block, "text") ?? "";
      return role === "assistant" || !(COMMAND.test(text) || text.startsWith(INTERRUPTED)) ? { kind: "said", role, text } : void 0;
    }
    case "tool_use": {
      let [id, name] = [textField(block, "id"), textField(block, "name")];
      return role !== "assistant" || id === void 0 || name === void 0 ? void 0 : { kind: "call", call: { id, name, input: fieldOf(block, "input") } };
    }
    case "tool_result": {
      let id = textField(block, "tool_use_id");
      if (id === void 0) return;
      let isError = fieldOf(block, "is_error") === !0;
      return { kind: "result", id, output: outputText(fieldOf(block, "content")), isError };
    }
    default:
      return;
  }
}
function outputText(content) {
  return typeof content == "string" ? content : Array.isArray(content) ? content.flatMap((block) => textField(block, "text") ?? []).join(`
`) : "";
}

// src/cli/agents/transcripts/codex.ts
var ADDED = /^\s*(<(environment_context|user_instructions|turn_aborted|INSTRUCTIONS)\b|# AGENTS\.md instructions)/, FAILED = /^Process exited with code (?!0$)\d+$/m;
function codexEntries({ start, value }) {
  if (textField(value, "type") !== "response_item") return;
  let entries = entriesOf(fieldOf(value, "payload"));
  return { id: `byte-${start}`, at: textField(value, "timestamp"), entries };
}
function entriesOf(item) {
  let id = textField(item, "call_id");
  switch (textField(item, "type")) {
    case "message":
      return saidIn(item);
    case "function_call":
    case "custom_tool_call": {
      let name = textField(item, "name"), input = textField(item, "arguments") ?? textField(item, "input") ?? "";
      return id === void 0 || name === void 0 ? [] : [{ kind: "call", call: { id, name, input: parsed2(input) ?? input } }];
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      let output = outputText2(fieldOf(item, "output"));
      return id === void 0 ? [] : [{ kind: "result", id, output, isError: FAILED.test(output) }];
    }
    default:
      return [];
  }
}
function saidIn(item) {
  let [role, content] = [textField(item, "role"), fieldOf(item, "content")];
  if (role !== "user" && role !== "assistant" || !Array.isArray(content)) return [];
  let text = content.flatMap((part) => textField(part, "text") ?? []).join(`
`);
  return role === "user" && ADDED.test(text) ? [] : [{ kind: "said", role, text }];
}
function outputText2(output) {
  return typeof output == "string" ? output : Array.isArray(output) ? output.flatMap((part) => textField(part, "text") ?? []).join(`
`) : textField(output, "content") ?? "";
}

// src/cli/agents/transcripts/jsonl.ts
import { closeSync as closeSync2, fstatSync, openSync as openSync2, readSync } from "node:fs";
var BLOCK_BYTES = 1024 * 1024, MAX_LINE_BYTES = 16 * 1024 * 1024, NEWLINE = 10;
function* readLines(path, from, to) {
  let file = openSync2(path, "r");
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is not a regular file`);
    yield* linesOf(file, from, to);
  } finally {
    closeSync2(file);
  }
}
function* linesOf(file, from, to) {
  let block = Buffer.alloc(BLOCK_BYTES), held = [], heldBytes = 0, start = from;
  for (let at = from; at < to; ) {
    let bytes = readSync(file, block, 0, Math.min(BLOCK_BYTES, to - at), at);
    if (bytes === 0) return;
    let begin = 0;
    for (let newline = block.indexOf(NEWLINE); newline !== -1 && newline < bytes; ) {
      let end = at + newline + 1, text = heldBytes + newline - begin <= MAX_LINE_BYTES ? Buffer.concat([...held, block.subarray(begin, newline)]).toString("utf8") : "";
      yield { start, end, value: parsed2(text) }, [held, heldBytes, start, begin] = [[], 0, end, newline + 1], newline = block.indexOf(NEWLINE, begin);
    }
    heldBytes += bytes - begin, heldBytes <= MAX_LINE_BYTES ? held.push(Buffer.from(block.subarray(begin, bytes))) : held = [], at += bytes;
  }
}

// src/cli/agents/transcripts/transcript.ts
var READERS = {
  "claude-code": claudeCodeEntries,
  codex: codexEntries
}, MAX_OPEN_CALLS = 64, OWN_TOOL = /^mcp__\w*ctxdb/;
function* readTranscript(agent, path, from, to) {
  let read = READERS[agent];
  if (read === void 0) throw new Error(`there is no reader for transcripts of ${agent}`);
  let open = /* @__PURE__ */ new Map();
  for (let line of readLines(path, from, to)) {
    let found = read(line), messages = found === void 0 ? [] : messagesOf(found, line.start, open), [first] = open.values();
    yield { messages, resumeAt: first?.start ?? line.end };
  }
}
function messagesOf({ id, at, entries }, start, open) {
  let messages = [], add2 = (role, part) => {
    let last = messages.at(-1);
    last?.role === role ? messages.splice(-1, 1, { ...last, parts: [...last.parts, part] }) : messages.push({
      id: messages.length === 0 ? id : `${id}.${messages.length}`,
      role,
      ...at && { at },
      parts: [part]
    });
  };
  for (let entry of entries)
    if (entry.kind === "said") {
      entry.role === "user" && open.clear();
      let part = textPart(entry.text);
      part && add2(entry.role, part);
    } else if (entry.kind === "call")
      !OWN_TOOL.test(entry.call.name) && open.size < MAX_OPEN_CALLS && open.set(entry.call.id, { ...entry.call, start });
    else {
      let call = open.get(entry.id);
      open.delete(entry.id), call && add2("assistant", toolPart(call, entry.output, entry.isError));
    }
  return messages;
}

// src/cli/agents/flush.ts
var FLUSH_MS = 3e4, STALE_MS = 2 * FLUSH_MS, CALL_MS = 1e4, LOCK = "lock", MAX_ROUNDS = 100, NOTE_EVERY = 20, MAX_NOTES = 5e3, OF_SESSION = /* @__PURE__ */ new Set(["RESOURCE_EXHAUSTED", "INTERNAL"]);
async function flush(deps) {
  let { folder, now, log, signal } = deps, spool = new HookQueue(folder, now);
  try {
    for (let round = 0; round < MAX_ROUNDS && spool.names().length > 0 && !signal.aborted; round++) {
      let unlock = lockFile(join4(ownFolder(folder), LOCK), now, STALE_MS);
      if (unlock === void 0) return;
      let sent;
      try {
        sent = await sendAll(deps, spool);
      } finally {
        unlock();
      }
      if (sent === 0) return;
    }
  } catch (error) {
    log(`flush: ${messageOf(error)}`);
  }
}
var isFlushing = (folder, now) => isLocked(join4(folder, LOCK), now, STALE_MS);
async function sendAll(deps, spool) {
  let blocked = /* @__PURE__ */ new Set(), sent = 0;
  for (let name of spool.names()) {
    if (deps.signal.aborted) break;
    let record = readRecord(spool, name);
    if (record === void 0) continue;
    let key = `${record.agent}/${record.session}`;
    if (!blocked.has(key))
      try {
        await send(deps, record), spool.remove(name), sent++;
      } catch (error) {
        if (error instanceof Unreachable) {
          if (deps.log(`${key}: kept for later: ${error.message}`), !OF_SESSION.has(error.code)) break;
          blocked.add(key);
        } else
          deps.log(`${key}: ${record.work.kind} is put aside: ${messageOf(error)}`), spool.reject(name), sent++;
      }
  }
  return sent;
}
function readRecord(spool, name) {
  try {
    return spool.read(name);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
}
async function send(deps, { agent, session, work }) {
  let server = new ServerSession(deps.target, agent, session), signal = () => AbortSignal.any([deps.signal, AbortSignal.timeout(CALL_MS)]);
  try {
    if (work.kind === "commit") await server.commit(signal());
    else if (work.kind === "messages")
      for (let message of work.messages) await add(server, message, signal);
    else {
      let onRefused = ({ message }) => deps.log(`${server.id}: a message is left out: ${message}`);
      await sendTranscript(deps.folder, { agent, session, ...work }, server, signal, onRefused);
    }
  } catch (error) {
    if (error instanceof Refused && error.code === "SESSION_EXPIRED")
      deps.log(`${server.id}: dropped, the session was deleted`);
    else throw error;
  }
}
async function add(server, message, signal) {
  try {
    await server.add(message, signal());
  } catch (error) {
    if (!(error instanceof Unreachable && error.code === "RESOURCE_EXHAUSTED")) throw error;
    await server.commit(signal()), await server.add(message, signal());
  }
}
async function sendTranscript(folder, { agent, session, path, size }, server, signal, onRefused) {
  let notes = ownFolder(join4(folder, "read")), note = join4(notes, `${digest(`${agent}/${session}/${path}`)}.json`), actual = statSync2(path, { throwIfNoEntry: !1 })?.size ?? 0;
  if (actual < size) throw new Error(`${path} is gone, or shorter than it was`);
  let before = offsetIn(note), from = before <= actual ? before : 0, [at, noted, sent] = [from, 0, 0];
  try {
    for (let { messages, resumeAt } of readTranscript(agent, path, from, actual)) {
      for (let message of messages)
        try {
          await add(server, message, signal), sent++;
        } catch (error) {
          if (!(error instanceof Refused && error.isOfMessage)) throw error;
          onRefused(error);
        }
      at = resumeAt, sent - noted >= NOTE_EVERY && (noted = sent, writeNote(note, at));
    }
  } finally {
    at !== before && writeNote(note, at), dropOldNotes(notes);
  }
  return sent;
}
function offsetIn(note) {
  try {
    let offset = fieldOf(parsed2(readFileSync3(note, "utf8")), "offset");
    return typeof offset == "number" && Number.isSafeInteger(offset) && offset >= 0 ? offset : 0;
  } catch {
    return 0;
  }
}
function writeNote(note, offset) {
  writeFileSync2(`${note}.part`, JSON.stringify({ offset }), { mode: 384 }), renameSync2(`${note}.part`, note);
}
function dropOldNotes(notes) {
  let names = readdirSync2(notes);
  if (names.length <= MAX_NOTES) return;
  let aged = names.map((name) => ({ name, time: statSync2(join4(notes, name)).mtimeMs }));
  aged.sort((a, b) => a.time - b.time);
  for (let { name } of aged.slice(0, names.length - MAX_NOTES)) rmSync3(join4(notes, name), { force: !0 });
}

// src/cli/agents/hook-event.ts
var HOOK_AGENTS = ["claude-code", "codex"], MOMENTS = {
  SessionStart: "start",
  UserPromptSubmit: "prompt",
  Stop: "turn",
  PreCompact: "compact",
  PostCompact: "shortened",
  SessionEnd: "end"
}, MAX_SESSION_CHARACTERS = 200;
function hookEvent(event, input) {
  let session = textField(input, "session_id"), moment = Object.hasOwn(MOMENTS, event) ? MOMENTS[event] : void 0;
  if (moment === void 0 || !session || session.length > MAX_SESSION_CHARACTERS) return;
  let isShortened = moment === "start" && ["compact", "clear"].includes(textField(input, "source") ?? "");
  if (!(textField(input, "agent_id") !== void 0 && fieldOf(input, "agent_id") !== ""))
    return {
      moment: isShortened ? "shortened" : moment,
      session,
      prompt: textField(input, "prompt"),
      transcript: textField(input, "transcript_path")
    };
}

// src/cli/agents/hook-limit.ts
var LIMIT_MS = 300, LEAST_LIMIT_MS = 50, MOST_LIMIT_MS = 1e4, HOOK_END_MS = 25;
function hookLimitMs(env) {
  let given2 = Number(env[CLIENT_VARIABLES.hookLimit] || LIMIT_MS);
  return given2 >= LEAST_LIMIT_MS && given2 <= MOST_LIMIT_MS ? given2 : LIMIT_MS;
}

// src/cli/agents/hook-log.ts
import { appendFileSync, renameSync as renameSync3, statSync as statSync3 } from "node:fs";
import { join as join5 } from "node:path";
var MAX_LOG_BYTES = 1024 * 1024, MAX_LINE_CHARACTERS = 500, CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, hookLogFile = (env) => join5(stateFolder(env), "hook.log");
function openHookLog(env, now) {
  return (line) => {
    try {
      let file = hookLogFile(env);
      ownFolder(stateFolder(env)), (statSync3(file, { throwIfNoEntry: !1 })?.size ?? 0) > MAX_LOG_BYTES && renameSync3(file, `${file}.1`);
      let text = line.replace(CONTROL, " ").slice(0, MAX_LINE_CHARACTERS);
      appendFileSync(file, `${now().toISOString()} ${text}
`, { mode: 384 });
    } catch {
    }
  };
}

// src/cli/agents/run-hook.ts
import { rmSync as rmSync4, statSync as statSync4, writeFileSync as writeFileSync3 } from "node:fs";
import { join as join6 } from "node:path";
async function runHook(deps, agent, event) {
  let { folder, now, log } = deps, about = `${agent}/${event.session} ${event.moment}`, spool = new HookQueue(folder, now);
  try {
    for (let work of workOf2(event)) spool.add({ agent, session: event.session, work });
  } catch (error) {
    log(`${about}: lost unless \`ctxdb backfill ${agent}\` finds it: ${messageOf(error)}`);
  }
  try {
    return event.moment === "shortened" && writeFileSync3(ownMark(folder, agent, event.session), "", { mode: 384 }), spool.names().length > 0 && !isFlushing(folder, now) && deps.startFlush(), event.moment === "prompt" ? await recalled(deps, agent, event) : "";
  } catch (error) {
    return log(`${about}: ${messageOf(error)}`), "";
  }
}
function workOf2({ moment, transcript }) {
  if (moment === "start" || moment === "prompt" || moment === "shortened") return [];
  let size = transcript === void 0 ? 0 : statSync4(transcript, { throwIfNoEntry: !1 })?.size ?? 0, read = transcript === void 0 || size === 0 ? [] : [{ kind: "transcript", path: transcript, size }];
  return moment === "turn" ? read : [...read, { kind: "commit" }];
}
async function recalled(deps, agent, { session, prompt }) {
  if (!prompt?.trim()) return "";
  let mark = ownMark(deps.folder, agent, session), restart = statSync4(mark, { throwIfNoEntry: !1 }) !== void 0, server = new ServerSession(deps.target, agent, session), left = deps.leftMs();
  if (left === 0) throw new Error("there is no time left for a recall");
  let text = await server.recall(prompt, {
    project: deps.project,
    restart,
    signal: AbortSignal.timeout(left)
  });
  return restart && rmSync4(mark, { force: !0 }), text;
}
var ownMark = (folder, agent, session) => join6(ownFolder(join6(folder, "shortened")), digest(`${agent}/${session}`));

// src/cli/agents/hook-answer.ts
var MAX_EVENT_BYTES = 8 * 1024 * 1024, TAIL_BYTES = 16, ENDING = /\}\s*$/;
async function hookAnswer(args2, about) {
  let { env, now } = about, log = openHookLog(env, () => new Date(now())), [agent = "", event = ""] = args2;
  try {
    if (agent === "flush")
      return await flushAll(about), "";
    if (!HOOK_AGENTS.some((name) => name === agent)) throw new Error(`unknown agent "${agent}": choose one of ${HOOK_AGENTS.join(", ")}`);
    return await answer(agent, event, about);
  } catch (error) {
    return log(`${agent} ${event}: ${messageOf(error)}`), "";
  }
}
async function answer(agent, event, about) {
  let { env, now } = about, limit = hookLimitMs(env), left = () => Math.max(Math.ceil(limit - about.elapsedMs() - HOOK_END_MS), 0), found = hookEvent(event, await readEvent(about.in, Math.max(left(), LEAST_LIMIT_MS)));
  if (found === void 0) return "";
  let target = await about.target(), text = await runHook(
    {
      folder: targetFolder(env, target),
      target,
      project: env[CLIENT_VARIABLES.project] || void 0,
      now,
      log: openHookLog(env, () => new Date(now())),
      leftMs: left,
      startFlush: () => startFlush(about)
    },
    agent,
    found
  );
  return text === "" ? "" : `${JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })}
`;
}
function startFlush({ self, env }) {
  let [program = "", ...args2] = self, child = spawn(program, [...args2, "hook", "flush"], {
    detached: !0,
    stdio: "ignore",
    cwd: "/",
    env: { ...env },
    windowsHide: !0
  });
  child.on("error", () => {
  }), child.unref();
}
async function flushAll({ env, now, target: targetOf2 }) {
  let target = await targetOf2();
  await flush({
    folder: targetFolder(env, target),
    target,
    now,
    log: openHookLog(env, () => new Date(now())),
    signal: AbortSignal.timeout(FLUSH_MS)
  });
}
async function readEvent(input, limitMs) {
  let late = AbortSignal.timeout(limitMs), given2 = new Promise((_, reject) => {
    late.addEventListener("abort", () => reject(new Error(`no event within ${limitMs} ms`)));
  });
  return Promise.race([whole(input), given2]);
}
async function whole(input) {
  let chunks = [], bytes = 0;
  for await (let chunk of input) {
    let piece = typeof chunk == "string" ? Buffer.from(chunk) : chunk;
    if (bytes += piece.byteLength, bytes > MAX_EVENT_BYTES) throw new Error(`the event is larger than ${MAX_EVENT_BYTES} bytes`);
    chunks.push(piece);
    let event = ENDING.test(piece.subarray(-TAIL_BYTES).toString("latin1")) ? parsed2(Buffer.concat(chunks).toString("utf8")) : void 0;
    if (event !== void 0) return event;
  }
  throw new Error("the event is not JSON");
}

// src/cli/agents/hook-process.ts
async function runHookProcess(args2, node, settings2 = []) {
  let { env, stdin, stdout, execPath, execArgv, argv } = node, answer2 = await hookAnswer(args2, {
    env,
    in: stdin,
    target: () => targetOf({}, env),
    now: systemClock,
    elapsedMs: () => performance.now(),
    self: [execPath, ...execArgv, argv[1] ?? "", ...settings2]
  });
  stdout.on("error", () => node.exit(0)), stdout.write(answer2, () => node.exit(0));
}

// src/cli/json-lines.ts
import { once } from "node:events";
var NEWLINE2 = 10;
async function* jsonLines(input, maxBytes) {
  let held = [], bytes = 0, chunks = input;
  for await (let chunk of chunks) {
    let piece = typeof chunk == "string" ? Buffer.from(chunk) : chunk, begin = 0;
    for (let end = piece.indexOf(NEWLINE2); end !== -1; end = piece.indexOf(NEWLINE2, begin)) {
      let text = Buffer.concat([...held, piece.subarray(begin, end)]).toString("utf8");
      [held, bytes, begin] = [[], 0, end + 1], text.trim() !== "" && (yield lineOf(text));
    }
    if (held.push(piece.subarray(begin)), bytes += piece.byteLength - begin, bytes > maxBytes) {
      yield { fault: `it is longer than ${maxBytes} bytes` };
      return;
    }
  }
}
function lineOf(text) {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
async function writeLine(out, value) {
  out.write(`${JSON.stringify(value)}
`) || await once(out, "drain");
}

// src/cli/mcp/event-messages.ts
async function* eventMessages(body, maxBytes) {
  let decoder = new TextDecoder(), held = [], heldBytes = 0, cut = "";
  for await (let piece of body) {
    let parts = (cut + decoder.decode(piece, { stream: !0 })).split(`

`), last = parts.pop() ?? "";
    for (let part of parts)
      held.push(part), yield* messageOf2(held.join("")), held = [], heldBytes = 0;
    if (cut = last.endsWith(`
`) ? `
` : "", held.push(last.slice(0, last.length - cut.length)), heldBytes += last.length, heldBytes > maxBytes) throw new Error(`an event is longer than ${maxBytes} bytes`);
  }
}
function* messageOf2(event) {
  let data = event.split(`
`).filter((line) => line.startsWith("data:")).map((line) => line.slice(5));
  data.length > 0 && (yield JSON.parse(data.join(`
`)));
}

// src/cli/mcp/server-link.ts
var MOST_MESSAGE_BYTES = 80 * 1024 * 1024, SILENCE_MS = 12e4, BRIDGE_ERROR = -32e3, AGAIN_MS = { first: 1e3, most: 6e4 }, LISTEN = "subscriptions/listen", INITIALIZED = "notifications/initialized", EVENTS = "text/event-stream";
function isMessage(value) {
  return typeof value != "object" || value === null || !("jsonrpc" in value) || value.jsonrpc !== "2.0" ? !1 : "method" in value && typeof value.method == "string" || "id" in value;
}
var isRequest = (message) => "method" in message && "id" in message && (typeof message.id == "string" || typeof message.id == "number"), VERSION = "io.modelcontextprotocol/protocolVersion", PLAIN = /^(?!=\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
function headersOf(message) {
  if (!("method" in message)) return {};
  let { _meta: meta, name, uri } = message.params ?? {}, version = typeof meta == "object" && meta !== null && VERSION in meta ? meta[VERSION] : void 0;
  if (typeof version != "string" || !PLAIN.test(version)) return {};
  let subject = message.method === "resources/read" ? uri : name, headers = { "MCP-Protocol-Version": version, "Mcp-Method": encoded(message.method) };
  return typeof subject == "string" ? { ...headers, "Mcp-Name": encoded(subject) } : headers;
}
var encoded = (text) => PLAIN.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`, Link = class {
  #target;
  #deliver;
  #renew;
  /** Headers negotiated by the handshake of earlier revisions. */
  #agreed = {};
  /** Running requests by id. Aborting one closes its connection, which cancels it on the server. */
  #aborts = /* @__PURE__ */ new Map();
  #streams = /* @__PURE__ */ new Set();
  /** `renew` returns another server if the first stops listening. */
  constructor(target, deliver, renew) {
    this.#target = target, this.#deliver = deliver, this.#renew = renew;
  }
  /** Sends a message, and delivers its response or an error. */
  async post(message) {
    let method = "method" in message ? message.method : void 0;
    method === "notifications/cancelled" && "params" in message && this.#aborts.get(message.params?.requestId)?.abort();
    let id = isRequest(message) ? message.id : void 0, abort = new AbortController();
    id !== void 0 && this.#aborts.set(id, abort), method === LISTEN && this.#streams.add(abort);
    try {
      await this.#exchange(message, abort), method === INITIALIZED && this.#followNotices();
    } catch (error) {
      let answer2 = abort.signal.aborted && !isSilence(abort) ? void 0 : failed(message, this.#reason(error));
      answer2 !== void 0 && await this.#deliver(answer2);
    } finally {
      id !== void 0 && this.#aborts.delete(id), this.#streams.delete(abort);
    }
  }
  /** Closes the streams that do not end by themselves. */
  endStreams() {
    for (let abort of this.#streams) abort.abort();
  }
  async #exchange(message, abort) {
    let silence = new Silence(abort);
    try {
      let init = { method: "POST", body: JSON.stringify(message), signal: abort.signal }, response = await this.#fetch(init, { "Content-Type": "application/json", ...headersOf(message) });
      if (this.#agree(message, response), isEvents(response)) return await this.#pass(message, silence.heard(response.body));
      let text = await response.text();
      if (!isRequest(message)) return;
      let answer2 = parsed3(text), wrong = `${new URL("/mcp", this.#target.address)} answered with HTTP status ${response.status}: it does not seem to be a ctxdb server`;
      await this.#deliver(answer2 ? { ...answer2, jsonrpc: "2.0", id: message.id } : failed(message, wrong));
      let version = answer2?.result?.protocolVersion;
      message.method === "initialize" && typeof version == "string" && (this.#agreed["MCP-Protocol-Version"] = version);
    } finally {
      silence.end();
    }
  }
  /** Delivers all messages of a response stream. */
  async #pass(message, body) {
    let isAnswered = !isRequest(message);
    for await (let part of eventMessages(body, MOST_MESSAGE_BYTES))
      isMessage(part) && (!("method" in part) && "id" in message && part.id === message.id && (isAnswered = !0), await this.#deliver(part));
    isAnswered || await this.#deliver(failed(message, "the answer ended before it was complete"));
  }
  /** Delivers the notices that earlier revisions send on a separate stream, until the input ends. */
  async #followNotices() {
    let ended = new AbortController();
    this.#streams.add(ended);
    let waitMs = AGAIN_MS.first;
    for (; !ended.signal.aborted; ) {
      let abort = new AbortController(), end = () => abort.abort();
      ended.signal.addEventListener("abort", end);
      let silence = new Silence(abort);
      try {
        let response = await this.#fetch({ method: "GET", signal: abort.signal }, {});
        if (isEvents(response)) {
          waitMs = AGAIN_MS.first;
          for await (let part of eventMessages(silence.heard(response.body), MOST_MESSAGE_BYTES))
            isMessage(part) && await this.#deliver(part);
        } else if (await response.body?.cancel(), response.status === 405) return;
      } catch {
      } finally {
        silence.end(), ended.signal.removeEventListener("abort", end);
      }
      await pause(waitMs, ended.signal), waitMs = Math.min(2 * waitMs, AGAIN_MS.most);
    }
  }
  /**
   * Sends a request. If the connection is refused, retries with another server; this never sends a request
   * twice.
   */
  async #fetch(init, more) {
    let ask = () => {
      let { address, key, agent, account, user } = this.#target, said = Object.entries({ "X-API-Key": key, "X-Ctx-Agent": agent, "X-Ctx-Account": account, "X-Ctx-User": user }).filter((entry) => entry[1] !== void 0), headers = { Accept: init.method === "GET" ? EVENTS : `application/json, ${EVENTS}`, ...Object.fromEntries(said), ...this.#agreed, ...more };
      return fetch(new URL("/mcp", address), { ...init, headers, redirect: "manual" });
    }, renew = this.#renew;
    return renew === void 0 ? ask() : ask().catch(async (error) => {
      if (causeOf(error) !== "ECONNREFUSED") throw error;
      return this.#target = await renew(), ask();
    });
  }
  /** Stores the session id, which later requests of earlier revisions must send. */
  #agree(message, { headers }) {
    let session = headers.get("mcp-session-id");
    "method" in message && message.method === "initialize" && session !== null && (this.#agreed["Mcp-Session-Id"] = session);
  }
  #reason(error) {
    let { address } = this.#target;
    return error instanceof Error && error.name === "TimeoutError" ? `no answer from ${address} within ${SILENCE_MS / 1e3} s` : `no answer from ${address} (${causeOf(error)}): is the server running there?`;
  }
}, Silence = class {
  #timer;
  constructor(abort) {
    let late = () => abort.abort(new DOMException("the server is silent", "TimeoutError"));
    this.#timer = setTimeout(late, SILENCE_MS);
  }
  async *heard(body) {
    for await (let piece of body)
      this.#timer.refresh(), yield piece;
  }
  end() {
    clearTimeout(this.#timer);
  }
}, isSilence = ({ signal }) => signal.reason instanceof Error && signal.reason.name === "TimeoutError", isEvents = (response) => response.ok && response.body !== null && response.headers.get("content-type")?.startsWith(EVENTS) === !0;
function causeOf(error) {
  let cause = error instanceof Error && error.cause instanceof Error ? error.cause : void 0;
  return cause ? codeOf(cause) || cause.message : String(error);
}
var pause = (ms, signal) => new Promise((resolve) => {
  let end = () => {
    clearTimeout(timer), signal.removeEventListener("abort", end), resolve();
  }, timer = setTimeout(end, ms);
  signal.aborted ? end() : signal.addEventListener("abort", end);
});
function parsed3(text) {
  try {
    let value = JSON.parse(text);
    return typeof value == "object" && value !== null && value.jsonrpc === "2.0" ? value : void 0;
  } catch {
    return;
  }
}
function failed(message, reason) {
  if (isRequest(message))
    return { jsonrpc: "2.0", id: message.id, error: { code: BRIDGE_ERROR, message: reason } };
}

// src/cli/mcp/bridge.ts
var MOST_PENDING = 64;
async function bridgeMcp(target, { in: input, out, note }, renew) {
  let deliver = (message) => writeLine(out, message), link = new Link(target, deliver, renew), pending = /* @__PURE__ */ new Set(), carry = (message) => {
    if (pending.size < MOST_PENDING) return link.post(message);
    let answer2 = failed(message, `more than ${MOST_PENDING} requests at once: wait for answers first`);
    return answer2 === void 0 ? Promise.resolve() : deliver(answer2);
  };
  for await (let line of jsonLines(input, MOST_MESSAGE_BYTES)) {
    if ("fault" in line || !isMessage(line.value)) {
      note(`cannot read a message: ${"fault" in line ? line.fault : "it is not JSON-RPC 2.0"}`);
      continue;
    }
    let work = carry(line.value).catch((error) => note(`cannot send an answer: ${String(error)}`)).finally(() => pending.delete(work));
    pending.add(work);
  }
  link.endStreams(), await Promise.allSettled(pending);
}

// src/cli/plugin-main.ts
var SETTING = /^(CTXDB_[A-Z_]{1,40})=(.*)$/s, given = process.argv.slice(2), settings = given.slice(
  0,
  given.findIndex((one) => !SETTING.test(one))
);
for (let setting of settings) {
  let [, name = "", value] = SETTING.exec(setting) ?? [];
  process.env[name] = value;
}
var [command, ...args] = given.slice(settings.length);
if (command === "hook") await runHookProcess(args, process, settings);
else if (command === "mcp") {
  let { env, stdin, stdout, stderr } = process, target = await targetOf({}, env), [agent] = args;
  await bridgeMcp(
    { ...target, ...agent !== void 0 && target.agent === void 0 && { agent } },
    { in: stdin, out: stdout, note: (line) => stderr.write(`${line}
`) }
  );
}
