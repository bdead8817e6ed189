// Generated from src/cli/opencode-main.ts by npm run build:plugins: change the source.

// src/base/clock.ts
var systemClock = () => Date.now();

// src/base/expect.ts
var isObject = (value) => typeof value == "object" && value !== null && !Array.isArray(value);

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

// src/cli/agents/flush.ts
import { readdirSync as readdirSync2, readFileSync as readFileSync3, renameSync as renameSync2, rmSync as rmSync3, statSync as statSync2, writeFileSync as writeFileSync2 } from "node:fs";
import { join as join3 } from "node:path";

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
  let tree = parsed(text), error = fieldOf(tree, "error");
  return http === 200 && fieldOf(tree, "result") !== void 0 ? { http, result: fieldOf(tree, "result") } : {
    http,
    code: textField(error, "code") ?? "UNAVAILABLE",
    message: textField(error, "message") ?? `status ${http}`,
    field: textField(fieldOf(error, "details"), "field")
  };
}
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return;
  }
}

// src/cli/agents/state-folder.ts
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
var DIGEST_CHARACTERS = 24;
function stateFolder(env) {
  let base = env.XDG_STATE_HOME?.startsWith("/") ? env.XDG_STATE_HOME : join(env.HOME ?? env.USERPROFILE ?? "/", ".local", "state");
  return join(base, "ctxdb");
}
function targetFolder(env, target) {
  let { address, key = "", account = "", user = "" } = target;
  return join(stateFolder(env), "hooks", digest([address, key, account, user].join(`
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
    let call = { method: "POST", path, body, signal }, answer = await restCall(this.#target, this.#agent, call);
    if (answer.code === "NOT_FOUND") {
      let made = { method: "POST", path: "sessions", body: { session_id: this.id }, signal }, { code } = await restCall(this.#target, this.#agent, made);
      (code === void 0 || code === "ALREADY_EXISTS") && (answer = await restCall(this.#target, this.#agent, call));
    }
    if (answer.code === void 0) return answer.result;
    throw LATER.has(answer.code) || answer.http >= 500 ? new Unreachable(`${answer.code}: ${answer.message}`, answer.code) : new Refused(answer);
  }
};

// src/cli/agents/spool.ts
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync as readFileSync2, renameSync, rmSync as rmSync2, writeFileSync } from "node:fs";
import { join as join2 } from "node:path";
var MAX_RECORDS = 5e3, MAX_RECORD_BYTES = 1024 * 1024, MAX_SPOOL_BYTES = 64 * 1024 * 1024, MAX_REJECTED = 100, NAME = /^[0-9a-z]{9}-[0-9a-z]{4}-[0-9a-f]{12}-(\d{1,8})\.json$/, SpoolFull = class extends Error {
}, HookQueue = class {
  #folder;
  #now;
  #sequence = 0;
  constructor(folder, now) {
    this.#folder = join2(folder, "spool"), this.#now = now;
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
    let time = this.#now().toString(36).padStart(9, "0"), sequence = (this.#sequence++).toString(36).padStart(4, "0"), file = join2(this.#folder, `${time}-${sequence}-${randomBytes(6).toString("hex")}-${bytes}.json`);
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
    let tree = parsed(readFileSync2(join2(this.#folder, name), "utf8")), [agent, session, work] = [textField(tree, "agent"), textField(tree, "session"), workOf(tree)];
    if (agent !== void 0 && session !== void 0 && work !== void 0)
      return { name, agent, session, work };
    this.reject(name);
  }
  remove(name) {
    rmSync2(join2(this.#folder, name), { force: !0 });
  }
  /** Moves a record to the rejected ones. */
  reject(name) {
    let aside = ownFolder(join2(this.#folder, "rejected"));
    for (let old of readdirSync(aside).sort().slice(0, -MAX_REJECTED))
      rmSync2(join2(aside, old), { force: !0 });
    renameSync(join2(this.#folder, name), join2(aside, name));
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
      return id === void 0 || name === void 0 ? [] : [{ kind: "call", call: { id, name, input: parsed(input) ?? input } }];
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
      yield { start, end, value: parsed(text) }, [held, heldBytes, start, begin] = [[], 0, end, newline + 1], newline = block.indexOf(NEWLINE, begin);
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
      let unlock = lockFile(join3(ownFolder(folder), LOCK), now, STALE_MS);
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
var isFlushing = (folder, now) => isLocked(join3(folder, LOCK), now, STALE_MS);
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
  let notes = ownFolder(join3(folder, "read")), note = join3(notes, `${digest(`${agent}/${session}/${path}`)}.json`), actual = statSync2(path, { throwIfNoEntry: !1 })?.size ?? 0;
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
    let offset = fieldOf(parsed(readFileSync3(note, "utf8")), "offset");
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
  let aged = names.map((name) => ({ name, time: statSync2(join3(notes, name)).mtimeMs }));
  aged.sort((a, b) => a.time - b.time);
  for (let { name } of aged.slice(0, names.length - MAX_NOTES)) rmSync3(join3(notes, name), { force: !0 });
}

// src/cli/agents/hook-limit.ts
var LIMIT_MS = 300, LEAST_LIMIT_MS = 50, MOST_LIMIT_MS = 1e4, HOOK_END_MS = 25;
function hookLimitMs(env) {
  let given = Number(env[CLIENT_VARIABLES.hookLimit] || LIMIT_MS);
  return given >= LEAST_LIMIT_MS && given <= MOST_LIMIT_MS ? given : LIMIT_MS;
}

// src/cli/agents/hook-log.ts
import { appendFileSync, renameSync as renameSync3, statSync as statSync3 } from "node:fs";
import { join as join4 } from "node:path";
var MAX_LOG_BYTES = 1024 * 1024, MAX_LINE_CHARACTERS = 500, CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, hookLogFile = (env) => join4(stateFolder(env), "hook.log");
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
import { join as join5 } from "node:path";
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
var ownMark = (folder, agent, session) => join5(ownFolder(join5(folder, "shortened")), digest(`${agent}/${session}`));

// src/cli/agents/opencode-plugin.ts
var AGENT = "opencode", LAST_FLUSH_MS = 200, MAX_OPEN = 200, MAX_PARTS = 200, OWN_TOOL2 = /^ctxdb[_-]/;
function opencodeHooks({ env, target, now }) {
  let limit = hookLimitMs(env), folder = targetFolder(env, target), log = openHookLog(env, () => new Date(now())), spool = new HookQueue(folder, now), messages = new OpenMessages(), talked = /* @__PURE__ */ new Set(), asides = /* @__PURE__ */ new Set(), flushFor = (ms) => flush({ folder, target, now, log, signal: AbortSignal.timeout(ms) }), deps = () => {
    let end = now() + limit - HOOK_END_MS;
    return {
      folder,
      target,
      project: env[CLIENT_VARIABLES.project] || void 0,
      now,
      log,
      leftMs: () => Math.max(end - now(), 0),
      startFlush: () => {
        flushFor(FLUSH_MS);
      }
    };
  }, keep = (session, id, role, parts) => {
    if (parts.length === 0) return;
    addTo(talked, session);
    let at = new Date(now()).toISOString();
    spool.add({ agent: AGENT, session, work: { kind: "messages", messages: [{ id, role, at, parts }] } });
  }, safely = async (about, work) => {
    try {
      await within(limit, work());
    } catch (error) {
      log(`${AGENT} ${about}: ${messageOf(error)}`);
    }
  }, onEvent = async (event) => {
    let properties = fieldOf(event, "properties"), info = fieldOf(properties, "info"), session = textField(properties, "sessionID") ?? textField(info, "sessionID") ?? "";
    switch (textField(event, "type")) {
      case "session.created":
        textField(info, "parentID") && addTo(asides, textField(info, "id") ?? "");
        return;
      case "message.part.updated":
        messages.note(fieldOf(properties, "part"));
        return;
      case "message.updated": {
        let [id, role] = [textField(info, "id") ?? "", textField(info, "role")], isDone = fieldOf(fieldOf(info, "time"), "completed") !== void 0;
        if (role !== "assistant" || !isDone) return;
        let parts = messages.take(id);
        asides.has(session) || keep(session, id, "assistant", parts);
        return;
      }
      case "session.compacted":
        spool.add({ agent: AGENT, session, work: { kind: "commit" } }), await runHook(deps(), AGENT, { moment: "shortened", session });
        return;
      case "session.idle":
        spool.names().length > 0 && !isFlushing(folder, now) && flushFor(FLUSH_MS);
        return;
      default:
    }
  };
  return {
    "chat.message": ({ sessionID: session }, { message, parts }) => safely("chat.message", async () => {
      if (asides.has(session)) return;
      let prompt = parts.filter((part) => textField(part, "type") === "text" && fieldOf(part, "synthetic") !== !0).flatMap((part) => textField(part, "text") ?? []).join(`
`), end = now() + limit, text = await runHook(deps(), AGENT, { moment: "prompt", session, prompt }), said = textPart(prompt);
      if (said && keep(session, message.id, "user", [said]), text === "" || now() > end) return;
      let id = `prt_zzz${digest(message.id)}`;
      parts.push({ id, sessionID: session, messageID: message.id, type: "text", text, synthetic: !0 });
    }),
    event: ({ event }) => safely("event", () => onEvent(event)),
    dispose: () => safely("dispose", async () => {
      for (let session of talked) spool.add({ agent: AGENT, session, work: { kind: "commit" } });
      talked.clear(), await flushFor(LAST_FLUSH_MS);
    })
  };
}
async function within(ms, work) {
  let timer, late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`given up after ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
var OpenMessages = class {
  #messages = /* @__PURE__ */ new Map();
  note(part) {
    let [id, message] = [textField(part, "id"), textField(part, "messageID")], captured = partOf(part);
    if (id === void 0 || message === void 0 || captured === void 0) return;
    let parts = this.#messages.get(message) ?? /* @__PURE__ */ new Map();
    (parts.size < MAX_PARTS || parts.has(id)) && parts.set(id, captured), this.#messages.set(message, parts);
    let [oldest] = this.#messages.keys();
    this.#messages.size > MAX_OPEN && oldest !== void 0 && this.#messages.delete(oldest);
  }
  take(message) {
    let parts = this.#messages.get(message);
    return this.#messages.delete(message), [...parts?.values() ?? []];
  }
};
function partOf(part) {
  if (textField(part, "type") === "text")
    return fieldOf(part, "synthetic") === !0 ? void 0 : textPart(textField(part, "text") ?? "");
  if (textField(part, "type") !== "tool") return;
  let [id, name, state] = [textField(part, "callID"), textField(part, "tool"), fieldOf(part, "state")], status = textField(state, "status");
  if (id === void 0 || name === void 0 || !(status === "completed" || status === "error") || OWN_TOOL2.test(name)) return;
  let output = textField(state, status === "error" ? "error" : "output") ?? "";
  return toolPart({ id, name, input: fieldOf(state, "input") }, output, status === "error");
}
function addTo(set, value) {
  let [oldest] = set;
  set.size >= MAX_OPEN && oldest !== void 0 && !set.has(value) && set.delete(oldest), set.add(value);
}

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
import { dirname, join as join6 } from "node:path";
var DEFAULT_PROFILE = "default", NONE = { current: DEFAULT_PROFILE, profiles: {} }, MAX_FILE_CHARACTERS = 1024 * 1024;
function profilesFile(env) {
  let base = env.XDG_CONFIG_HOME?.startsWith("/") ? env.XDG_CONFIG_HOME : join6(env.HOME ?? "/", ".config");
  return join6(base, "ctxdb", "config.json");
}
async function readProfiles(file) {
  let text;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return NONE;
    throw error;
  }
  let found = text.length <= MAX_FILE_CHARACTERS ? parsed2(text) : void 0;
  if (found === void 0)
    throw new LocalError(`${file} is not a valid profile file: fix it, or delete it and run \`ctxdb login\``);
  return found;
}
function parsed2(text) {
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

// src/cli/opencode-main.ts
var Ctxdb = async (_, options = {}) => {
  let env = { ...process.env, ...options };
  return opencodeHooks({ env, target: await targetOf({}, env), now: systemClock });
};
export {
  Ctxdb
};
