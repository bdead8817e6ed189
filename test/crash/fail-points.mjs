/**
 * Loaded before the server (--import): kills the process before or after the n-th call of one kind.
 * CRASH_POINT is `<kind>:<before|after>:<n>`, with `:armed` behind it counted only from SIGUSR2 on. Kinds are the keys of `fits`, `indexCall`, `fileCalls` and
 * `gateSteps`, and `handover`: an operation of a batch that is handed over piece by piece.
 * The kinds `answer` and `build` are the calls of the server's child processes of that name, each of which kills itself; the server has to go on without it.
 */
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { extname } from "node:path";
import { pathToFileURL } from "node:url";
import { ClassicLevel } from "classic-level";

const [kind, when, count, armedLater] = process.env.CRASH_POINT.split(":");
let isArmed = armedLater === undefined;
let left = Number(count);
if (!isArmed) {
  process.on("SIGUSR2", () => {
    isArmed = true;
  });
}

function reach() {
  if (!isArmed || --left !== 0) return;
  fs.writeSync(2, `fail point ${kind}:${when}\n`);
  process.kill(process.pid, "SIGKILL");
}

async function around(call) {
  if (when === "before") reach();
  const result = await call();
  if (when === "after") reach();
  return result;
}

const LARGE_OPS = 256;

const isJob = ({ key }) => key.startsWith("q/");
const isClaimed = ({ value }) => JSON.parse(Buffer.from(value).toString()).claimed === true;
const isForget = ({ value }) => JSON.parse(Buffer.from(value).toString()).kind === "forget";
const has = (part) => (ops) => ops.some(({ key }) => part.test(key));
const MANIFEST = /^w\/[^/]+\/x\//;

/** Segments by manifest, as they were last written: a seal adds one, a merge takes some away. */
const segments = new Map();
const changesSegments = (isIt) => (ops) => {
  let fits = false;
  for (const { key, type, value } of ops) {
    if (type !== "put" || !MANIFEST.test(key)) continue;
    const count = (JSON.parse(Buffer.from(value).toString()).segments ?? []).length;
    fits ||= isIt(count - (segments.get(key) ?? 0));
    segments.set(key, count);
  }
  return fits;
};

const fits = {
  batch: () => true,
  claim: (ops) => ops.some((op) => isJob(op) && op.type === "put" && isClaimed(op)),
  settle: (ops) => ops.some((op) => isJob(op) && op.type === "del"),
  enqueue: (ops) => ops.some((op) => isJob(op) && op.type === "put" && !isClaimed(op)),
  stage: has(/^w\/[^/]+\/z\//),
  counter: has(/^(w\/[^/]+\/g\/|qn)/),
  account: has(/^(a|au|k)\//),
  upload: has(/^f\//),
  manifest: has(MANIFEST),
  seal: changesSegments((more) => more > 0),
  merge: changesSegments((more) => more < 0),
  checkpoint: has(/^w\/[^/]+\/k$/),
  forget: (ops) => ops.some((op) => isJob(op) && op.type === "put" && isForget(op)),
  plan: has(/^w\/[^/]+\/F\//),
  redact: (ops) =>
    ops.some(({ type, value }) => type === "put" && Buffer.from(value).includes("[forgotten]")),
  purge: (ops) => ops.some(({ key, type }) => type === "del" && /^w\/[^/]+\/d\//.test(key)),
  // links of a large import and whatever else is handed over in turns
  large: (ops) => ops.length > LARGE_OPS,
}[kind];

if (fits || kind === "handover") {
  const { batch } = ClassicLevel.prototype;
  ClassicLevel.prototype.batch = function (ops, ...rest) {
    if (ops === undefined) return inTurns(batch.call(this));
    const write = () => batch.call(this, ops, ...rest);
    return fits?.(ops) ? around(write) : write();
  };
}

if (kind === "scrub") {
  const { compactRange } = ClassicLevel.prototype;
  ClassicLevel.prototype.compactRange = function (...args) {
    return around(() => compactRange.apply(this, args));
  };
}

/** A batch that is handed over piece by piece. */
function inTurns(made) {
  const ops = [];
  const { put, del, write } = made;
  const handOver = (op, give) => {
    ops.push(op);
    if (!fits && when === "before") reach();
    const given = give();
    if (!fits && when === "after") reach();
    return given;
  };
  made.put = (key, value) => handOver({ type: "put", key, value }, () => put.call(made, key, value));
  made.del = (key) => handOver({ type: "del", key }, () => del.call(made, key));
  made.write = (...options) => {
    const writeNow = () => write.apply(made, options);
    return fits?.(ops) ? around(writeNow) : writeNow();
  };
  return made;
}

/** Steps of a large change while it is prepared behind the gate that holds up others: one more link, one more record of its journal. */
const gateSteps = ["link", "journal"];
if (gateSteps.includes(kind) && !process.send) {
  const main = pathToFileURL(process.argv[1]);
  const load = (room, name) => import(new URL(`./${room}/${name}${extname(main.pathname)}`, main).href);
  const { WriteGate } = await load("workspace", "write-gate");
  const { PreparedJournal } = await load("workspace", "journal");
  const { EventLoopYielder } = await load("base", "event-loop");
  const { hold } = WriteGate.prototype;
  let isHeld = false;
  WriteGate.prototype.hold = function (change) {
    return hold.call(this, async () => {
      isHeld = true;
      try {
        return await change();
      } finally {
        isHeld = false;
      }
    });
  };
  const [owner, step] =
    kind === "link" ? [EventLoopYielder.prototype, "yieldIfDue"] : [PreparedJournal.prototype, "write"];
  const original = owner[step];
  owner[step] = function (...args) {
    if (isHeld && when === "before") reach();
    const done = original.apply(this, args);
    if (isHeld && when === "after") reach();
    return done;
  };
}

const fileCalls = { rename: fs.promises, unlink: fs.promises, mkdir: fs.promises, sync: undefined };
if (kind in fileCalls) {
  const owner = fileCalls[kind] ?? (await fileHandlePrototype());
  const original = owner[kind];
  owner[kind] = function (...args) {
    return around(() => original.apply(this, args));
  };
  syncBuiltinESMExports();
}

/** Calls on files of the index: written whole, thrown away, read after they had left memory. */
const indexCall = { segment: "rename", drop: "unlink", load: "readFile" }[kind];
if (indexCall) {
  const original = fs.promises[indexCall];
  fs.promises[indexCall] = function (...args) {
    const call = () => original.apply(this, args);
    return args.some((path) => typeof path === "string" && path.includes("/index/")) ? around(call) : call();
  };
  syncBuiltinESMExports();
}

// in the server: hands the fail point to the children meant; in such a child: counts its calls, always from its start
const childKinds = ["answer", "build"];
if (childKinds.includes(kind) && !process.send) {
  const { fork } = childProcess;
  childProcess.fork = (path, args, options) => {
    if (!path.includes(`faiss/${kind}.`)) return fork(path, args, options);
    const env = { ...options.env, CRASH_POINT: `${kind}:${when}:${count}` };
    return fork(path, args, {
      ...options,
      env,
      execArgv: [...options.execArgv, "--import", import.meta.url],
    });
  };
  syncBuiltinESMExports();
} else if (childKinds.includes(kind)) {
  const send = process.send.bind(process);
  if (when === "before") process.prependListener("message", reach);
  else {
    process.send = (answer, done) =>
      send(answer, (error) => {
        reach();
        done?.(error);
      });
  }
}

async function fileHandlePrototype() {
  const handle = await fs.promises.open(process.execPath, "r");
  await handle.close();
  return Object.getPrototypeOf(handle);
}
