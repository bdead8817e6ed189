/**
 * `npm run fuzz -- [--seconds 60] [--seed N] [--case N] [--kinds http/2,grpc]`: sends hostile traffic over
 * all protocols to the built server. Every case is derived from the seed and its number; `--case` repeats
 * one. The last line is `N passed, N failed`.
 */
import { writeFileSync } from "node:fs";
import { connect as connectHttp2, constants } from "node:http2";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Random } from "../crash/random.ts";
import { davRequest } from "./dav.ts";
import { brokenHttp1, brokenHttp2, http1 } from "./raw.ts";
import { connectRequest, framedRequest, mcpRequest, multipartRequest, restRequest } from "./requests.ts";
import { Target, type TenantName } from "./target.ts";

const CONCURRENCY = 12;
/** One kind is chosen per case; kinds listed repeatedly are chosen more often. */
const KINDS = "rest,rest,rest,connect,mcp,dav,dav,multipart,grpc,grpc,grpc-web,http/1.1,http/2";
/** Time limit for answering a complete request or closing its connection. */
const ANSWER_LIMIT_MS = 20_000;
/** How long a peer that sends half a request waits before it disconnects. */
const BROKEN_LIMIT_MS = 300;
const WORK_EVERY_CASES = 50;
const MAX_ANSWER_BYTES = 4 * 2 ** 20;
const MAX_FAILURES = 20;
/** Limits for open files and memory after all peers have disconnected. */
const EXTRA_FILES = 40;
const EXTRA_MEBIBYTES = 500;
const SETTLE_LIMIT_MS = 30_000;

/** Answers that no caller may be able to cause. */
const BROKEN_ANSWERS = [
  /^HTTP\/1\.1 50[026-9]/m,
  /"code":"(?:INTERNAL|UNKNOWN)"/,
  /"code":"(?:internal|unknown)"/,
  /grpc-status: ?(?:2|13)\b/,
];

/** RFC 4918 statuses for a URL of another server and for a full account. */
const DAV_ANSWERS = /^HTTP\/1\.1 50[27] [^\n]*\n/;

interface FuzzCase {
  readonly kind: string;
  readonly caller: TenantName | undefined;
  readonly sent: Buffer;
  /** Undefined if the peer disconnected before an answer. */
  answer(): Promise<string | undefined>;
}

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1e6)) },
    case: { type: "string" },
    kinds: { type: "string", default: KINDS },
  },
});
const seed = Number(values.seed);
const kinds = values.kinds.split(",");
const say = (line: string) => process.stdout.write(`${line}\n`);

function caseOf(target: Target, number: number): FuzzCase {
  const random = new Random(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const caller = random.pick(["acme", "beta", undefined] as const);
  const wrong = random.chance(0.1) ? "wrong-key-of-a-stranger" : undefined;
  const key = caller === undefined ? wrong : target.keys[caller];
  const kind = random.pick(kinds);
  const whole = (sent: Buffer): FuzzCase => ({
    kind,
    caller,
    sent,
    answer: () => talk(target.port, sent, ANSWER_LIMIT_MS),
  });
  const broken = (sent: Buffer): FuzzCase => ({
    kind,
    caller,
    sent,
    answer: () => talk(target.port, sent, BROKEN_LIMIT_MS),
  });
  if (kind === "rest") return whole(http1(restRequest(random), key));
  if (kind === "connect") return whole(http1(connectRequest(random), key));
  if (kind === "dav") return whole(http1(davRequest(random), key));
  if (kind === "mcp") return whole(http1(mcpRequest(random), key));
  if (kind === "multipart") return broken(http1(multipartRequest(random), key));
  if (kind === "http/1.1") return broken(brokenHttp1(random, key));
  if (kind === "http/2") return broken(brokenHttp2(random));
  const { path, body } = framedRequest(random);
  if (kind === "grpc-web") {
    const headers = {
      "Content-Type": random.pick(["application/grpc-web+proto", "application/grpc-web-text"]),
    };
    return broken(http1({ method: "POST", path, headers, body }, key));
  }
  return { kind, caller, sent: body, answer: () => grpc(target.port, path, body, key) };
}

/**
 * Sends bytes on a new connection. Returns what arrived until the peer closed it, or undefined at the time
 * limit.
 */
function talk(port: number, bytes: Buffer, limitMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const socket = connect({ port, host: "127.0.0.1" });
    const end = (isAnswered: boolean) => {
      clearTimeout(late);
      socket.destroy();
      resolve(isAnswered ? Buffer.concat(parts).toString() : undefined);
    };
    const late = setTimeout(() => end(limitMs === BROKEN_LIMIT_MS), limitMs);
    socket.on("data", (part) => {
      size += part.length;
      if (size <= MAX_ANSWER_BYTES) parts.push(part);
    });
    socket.on("error", () => end(true));
    socket.on("close", () => end(true));
    socket.on("connect", () => socket.write(bytes));
  });
}

/** Makes a call over HTTP/2 with Node's client; the body is optional. */
function grpc(
  port: number,
  path: string,
  body: Buffer,
  key: string | undefined,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    let text = "";
    const end = (answer: string | undefined) => {
      clearTimeout(late);
      session.destroy();
      resolve(answer);
    };
    // server streams continue until their client disconnects
    const isStream = /\/(?:Watch|Download|Export|ServerReflectionInfo)/.test(path);
    const late = setTimeout(
      () => end(isStream ? text : undefined),
      isStream ? BROKEN_LIMIT_MS : ANSWER_LIMIT_MS,
    );
    session.on("error", () => end(text));
    const call = session.request({
      [constants.HTTP2_HEADER_METHOD]: "POST",
      [constants.HTTP2_HEADER_PATH]: path,
      "content-type": "application/grpc+proto",
      te: "trailers",
      "grpc-timeout": "15S",
      ...(key !== undefined && { "x-api-key": key }),
    });
    const hear = (headers: object) => {
      for (const [name, value] of Object.entries(headers)) text += `${name}: ${String(value)}\n`;
    };
    call.on("response", hear);
    call.on("trailers", hear);
    call.on("error", () => end(text));
    call.on("data", (part: Buffer) => {
      if (text.length < MAX_ANSWER_BYTES) text += part.toString();
    });
    call.on("close", () => end(text));
    call.end(body);
  });
}

function faultOf(target: Target, { kind, caller }: FuzzCase, answer: string | undefined): string | undefined {
  if (!target.running) return "the server has ended";
  if (answer === undefined) return `no answer within ${ANSWER_LIMIT_MS} ms`;
  const leaked = target.leak(caller, answer);
  if (leaked !== undefined) return `the answer holds the marker of ${leaked}`;
  const judged = kind === "dav" ? answer.replace(DAV_ANSWERS, "") : answer;
  return BROKEN_ANSWERS.some((pattern) => pattern.test(judged))
    ? `an internal error:\n${answer.slice(0, 600)}`
    : undefined;
}

class Run {
  readonly #target: Target;
  readonly counts = new Map<string, number>();
  passed = 0;
  failed = 0;

  constructor(target: Target) {
    this.#target = target;
  }

  async one(number: number): Promise<void> {
    const fuzzed = caseOf(this.#target, number);
    this.counts.set(fuzzed.kind, (this.counts.get(fuzzed.kind) ?? 0) + 1);
    const fault = faultOf(this.#target, fuzzed, await fuzzed.answer());
    if (fault === undefined) {
      this.passed++;
      return;
    }
    const file = join(tmpdir(), `ctxdb-fuzz-${seed}-${number}.bin`);
    writeFileSync(file, fuzzed.sent);
    this.fail(
      `${fuzzed.kind} case ${number}: ${fault}\n  sent: ${file}; again: npm run fuzz -- --seed ${seed} --case ${number}`,
    );
  }

  check(isGood: boolean, fault: string): void {
    if (isGood) this.passed++;
    else this.fail(fault);
  }

  fail(fault: string): void {
    this.failed++;
    say(`FAIL  ${fault}`);
  }
}

async function settled(target: Target, before: ReturnType<Target["usage"]>): Promise<string | undefined> {
  const limit = performance.now() + SETTLE_LIMIT_MS;
  for (;;) {
    const { files, mebibytes } = target.usage();
    if (files <= before.files + EXTRA_FILES && mebibytes <= before.mebibytes + EXTRA_MEBIBYTES)
      return undefined;
    if (performance.now() > limit)
      return `not back to the start: files ${before.files} → ${files}, memory ${before.mebibytes} → ${mebibytes} MiB`;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function main(): Promise<void> {
  say(`seed ${seed}`);
  const target = await Target.open();
  const run = new Run(target);
  if (values.case !== undefined) await run.one(Number(values.case));
  else {
    const before = target.usage();
    const until = performance.now() + Number(values.seconds) * 1000;
    let next = 0;
    const worker = async () => {
      while (performance.now() < until && run.failed < MAX_FAILURES && target.running) {
        const number = next++;
        if (number % WORK_EVERY_CASES === 0)
          await target
            .work()
            .catch((error: Error) => run.fail(`a well-behaved tenant was refused: ${error.message}`));
        await run.one(number);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    if (target.running) {
      const fault = await settled(target, before);
      run.check(fault === undefined, fault ?? "");
      const [lost, of] = await target.lost();
      run.check(lost === 0, `${lost} of ${of} files of the well-behaved tenant are not as they were written`);
    }
  }
  if (!target.running) say(`the server's last words:\n${target.lastWords}`);
  for (const line of target.errors.slice(0, MAX_FAILURES))
    run.fail(`the server logged an error: ${line.slice(0, 1500)}`);
  const complaint = await target.close();
  run.check(complaint === undefined, complaint ?? "");
  say([...run.counts].map(([kind, count]) => `${kind} ${count}`).join(", "));
  say(`${run.passed} passed, ${run.failed} failed`);
  process.exitCode = run.failed === 0 ? 0 : 1;
}

await main();
