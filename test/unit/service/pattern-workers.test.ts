import { afterEach, describe, expect, it } from "vitest";
import { parseFilter, readFilter } from "../../../src/domain/filter.ts";
import { workspaceId } from "../../../src/domain/ids.ts";
import { LinePattern } from "../../../src/domain/patterns/regular-expression.ts";
import { LineSearch } from "../../../src/service/search/line-search.ts";
import { PatternBudget } from "../../../src/service/search/pattern-budget.ts";
import { PatternWork } from "../../../src/service/search/pattern-work.ts";
import { PatternWorkers } from "../../../src/service/search/pattern-workers.ts";
import { silentLog } from "../../support/silent-log.ts";

const open: PatternWorkers[] = [];
const signal = new AbortController().signal;

function start(options: Partial<ConstructorParameters<typeof PatternWorkers>[0]> = {}): PatternWorkers {
  const workers = new PatternWorkers({ log: silentLog, ...options });
  open.push(workers);
  return workers;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((workers) => workers.close()));
});

/** Keeps 600 states active over every character. */
const COSTLY = "(?:я[\\p{L}\\p{N}]{200}|ж[\\p{L}\\p{N}]{201}|[яж][\\p{L}\\p{N}]{202})[cd]";
/** Without a period, since recurring matcher states would be cached. */
function mixed(length: number): string {
  let [text, state] = ["", 1];
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += state > 0x7fffffff ? "я" : "ж";
  }
  return text;
}

/** So many repetitions that only a worker compiles it. */
const REPEATED = "(a{10}){20}(b{1}){2}(c{1}){2}";
const REPEATS = `${"a".repeat(200)}bbcc`;

async function linesOf(
  workers: PatternWorkers,
  pattern: string,
  text: string,
  account = 1,
  until = signal,
): Promise<number[]> {
  const wanted = { pattern, caseInsensitive: false };
  const search = new LineSearch(
    new LinePattern(pattern, false),
    wanted,
    workers.begin(workspaceId(account), until, "pattern"),
  );
  await search.check();
  const lines: number[] = [];
  for await (const { line } of search.search(text, { line: 1, offset: 0 }, async () => undefined))
    lines.push(line);
  return lines;
}

describe("workers for patterns", () => {
  it("pattern workers search long lines while the main thread continues", async () => {
    let turns = 0;
    const count = () => {
      turns++;
      counting = setTimeout(count, 0);
    };
    let counting = setTimeout(count, 0);
    const line = mixed(20_000);
    expect(await linesOf(start(), COSTLY, `short\n${line}\n${line}c\nя${"ж".repeat(200)}d`)).toEqual([3, 4]);
    clearTimeout(counting);
    expect(turns).toBeGreaterThan(20);
  });

  it("a runaway pattern kills its process and is named in the error", async () => {
    const workers = start({ limitMs: 300 });
    await expect(linesOf(workers, COSTLY, mixed(256 * 1024))).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { field: "pattern" },
    });
    expect(workers.pool.deaths).toBe(1);
  });

  it("pattern workers serve other accounts during a long search, and afterwards the searching account", async () => {
    const workers = start();
    const caller = new AbortController();
    const text = `${mixed(256 * 1024)}\n`.repeat(8);
    let hasEnded = false;
    const slow = linesOf(workers, COSTLY, text, 1, caller.signal).finally(() => {
      hasEnded = true;
    });
    const refused = expect(slow).rejects.toBeDefined();
    expect(await linesOf(workers, REPEATED, REPEATS, 2)).toEqual([1]);
    expect(hasEnded).toBe(false);
    caller.abort();
    await refused;
    expect(await linesOf(workers, REPEATED, REPEATS, 1)).toEqual([1]);
  });

  it("a pattern too costly to compile is checked by a worker and refused", async () => {
    const workers = start();
    for (const pattern of ["(\\pL{1,900})".repeat(80), "(".repeat(500)])
      await expect(linesOf(workers, pattern, "")).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        details: { field: "pattern" },
      });
  });

  it("a worker refuses a filter pattern that is too costly to compile, as the main thread does", async () => {
    const costly = { op: "regex", field: "name", pattern: "(\\pL{1,900})".repeat(20) };
    expect(readFilter(costly).isReady).toBe(false);
    const task = start().begin(workspaceId(1), signal, "filter");
    await expect(task.passes(JSON.stringify(costly), [])).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { field: "filter.pattern" },
    });
    expect(() => parseFilter(costly)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  it("pattern searches of an account are refused while its time budget is used up", async () => {
    let now = 0;
    const budget = new PatternBudget(() => now);
    budget.spend(workspaceId(1), 31_000);
    const workers = start({ budget });
    const refusal = { code: "RESOURCE_EXHAUSTED", details: { resource: "patterns", retry_after: 5 } };
    await expect(linesOf(workers, REPEATED, "a")).rejects.toMatchObject(refusal);
    expect(await linesOf(workers, REPEATED, REPEATS, 2)).toEqual([1]);
    now = 5000;
    expect(await linesOf(workers, REPEATED, REPEATS)).toEqual([1]);
  });
});

describe("the work of a worker", () => {
  it("a pattern worker ends its turn when its time is used, and the next turn continues", () => {
    let ms = 0;
    // each reading of the clock is 100 ms later
    const work = new PatternWork(() => (ms += 100));
    const line = `${mixed(2000)}c\n`;
    const call = {
      kind: "lines",
      pattern: COSTLY,
      caseInsensitive: false,
      firstLine: 1,
      most: 1000,
    } as const;
    const first = work.answer(call, Buffer.from(line.repeat(20), "utf16le"));
    if (!("places" in first)) throw new Error("refused");
    expect(first.next?.line).toBeLessThan(10);
    expect(first.next?.offset).toBe(line.length * (first.places.length / 3));
    const subjects = Array.from({ length: 20 }, () => ({ name: "a" }));
    const answer = work.answer(
      { kind: "filter", written: '{"op":"regex","field":"name","pattern":"a"}', subjects },
      undefined,
    );
    expect("passes" in answer && answer.passes).toEqual([true, true, true, true]);
  });
});

describe("the budget of patterns", () => {
  it("the pattern budget refills at a quarter of real time, separately for each account", () => {
    let now = 0;
    const budget = new PatternBudget(() => now);
    budget.spend(workspaceId(1), 30_000);
    expect(() => budget.check(workspaceId(1))).toThrow(
      expect.objectContaining({ code: "RESOURCE_EXHAUSTED" }),
    );
    budget.check(workspaceId(2));
    now = 8;
    budget.check(workspaceId(1));
    now = 1e9;
    budget.spend(workspaceId(1), 29_999);
    budget.check(workspaceId(1));
    budget.spend(workspaceId(1), 1);
    expect(() => budget.check(workspaceId(1))).toThrow(
      expect.objectContaining({ code: "RESOURCE_EXHAUSTED" }),
    );
  });
});
