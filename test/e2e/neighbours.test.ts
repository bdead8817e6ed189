import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faissProcesses, MISSING_FAISS } from "../support/faiss.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { filesBelow, flip } from "../unit/index/indexed.ts";

const LIMIT_MS = 120_000;
const SLOW = { timeout: LIMIT_MS, interval: 50 };
const SMALL = { CTXDB_SEAL_DOCS: "20", CTXDB_FAISS_MIN_DOCS: "3" };
const FILES = 60;
const BIRDS = ["owl", "auk", "rook", "kite", "wren"];

const textOf = (i: number): string =>
  `The ${BIRDS[i % 5]} of valley ${i} sings about the river, note ${i * 7}.`;

interface Hit {
  readonly uri: string;
  readonly score: number;
}

const urisOf = (hits: readonly Hit[]) => hits.map(({ uri }) => uri);

/** Scores decrease slightly while the test runs. */
function expectSame(hits: readonly Hit[], wanted: readonly Hit[]): void {
  expect(urisOf(hits)).toEqual(urisOf(wanted));
  for (const [i, { score }] of hits.entries()) expect(score).toBeCloseTo(wanted[i]!.score, 4);
}

/** Two users' partitions, each with segments that FAISS serves, in addition to the shared one. */
describe.skipIf(MISSING_FAISS)("finds served by FAISS", { timeout: LIMIT_MS }, () => {
  let server: Served;
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    server = await serve(SMALL);
    const made = await server.rest(ROOT_KEY, "POST admin/accounts", {
      account_id: "acme",
      admin_user_id: "ann",
    });
    keys.ann = (made.result as { user_key: string }).user_key;
    const joined = await server.rest(keys.ann, "POST admin/accounts/acme/users", { user_id: "bob" });
    keys.bob = (joined.result as { user_key: string }).user_key;
    for (let i = 0; i < FILES; i++) {
      for (const [user, home] of [
        ["ann", "ctx://resources"],
        ["bob", "ctx://user/bob/memories"],
      ] as const) {
        const body = { uri: `${home}/f${i}.md`, content: textOf(i), mode: "create" };
        expect((await server.rest(keys[user]!, "POST content/write", body)).http).toBe(200);
      }
    }
    await server.rest(ROOT_KEY, "POST system/wait", { timeout: 60 });
  }, LIMIT_MS);
  afterAll(() => server.close());

  const find = async (user: string, query: string, more: object = {}): Promise<Hit[]> => {
    const answer = await server.rest(keys[user]!, "POST search/find", { query, limit: 5, ...more });
    expect(answer.http).toBe(200);
    const { memories, resources } = answer.result as Record<string, Hit[]>;
    return [...memories!, ...resources!].sort((a, b) => b.score - a.score || (a.uri < b.uri ? -1 : 1));
  };

  async function figures(): Promise<Record<string, number>> {
    const text = await (
      await fetch(`http://127.0.0.1:${server.port}/metrics`, { headers: { "X-API-Key": ROOT_KEY } })
    ).text();
    const lines = text.split("\n").filter((line) => line.startsWith("ctxdb_neighbour"));
    return Object.fromEntries(
      lines.map((line) => line.split(" ")).map(([name, value]) => [name!, Number(value)]),
    );
  }
  const BY_INDEX = 'ctxdb_neighbour_searches_total{by="index"}';
  const served = async () => {
    const before = (await figures())[BY_INDEX]!;
    await find("bob", "owl of the river");
    return (await figures())[BY_INDEX]! - before;
  };

  it("searches with the neighbour index equal the exact scan, scores included", async () => {
    // segments of both users, and a search over all of them
    await expect.poll(served, SLOW).toBeGreaterThanOrEqual(4);
    const vectordb = (await server.rest(keys.ann!, "GET observer/vectordb")).result as { status: string };
    expect(vectordb.status).toMatch(/context\t\d+\t\d+\tfaiss \d+, scan \d+/);
    for (let i = 0; i < FILES; i += 7) {
      const [byIndex, byScan] = [await find("bob", textOf(i)), await find("bob", textOf(i), { limit: 200 })];
      expectSame(byIndex, byScan.slice(0, 5));
      expect(urisOf(byIndex)).toContain(`ctx://user/bob/memories/f${i}.md`);
    }
    const reasons = await figures();
    expect(reasons['ctxdb_neighbour_searches_total{by="scan_depth"}']).toBeGreaterThan(0);
  });

  it("a search with a narrow scope or a filter uses the exact scan instead of FAISS", async () => {
    await expect.poll(served, SLOW).toBeGreaterThan(0);
    const before = await figures();
    const filter = { op: "must", field: "name", conds: ["f3.md"] };
    expect(urisOf(await find("ann", textOf(3), { filter }))).toEqual(["ctx://resources/f3.md"]);
    const only = "ctx://user/bob/memories/f3.md";
    expect(urisOf(await find("bob", textOf(3), { target_uri: only }))).toEqual([only]);
    const after = await figures();
    expect(after[BY_INDEX]).toBe(before[BY_INDEX]);
    for (const reason of ["filter", "scope"]) {
      const name = `ctxdb_neighbour_searches_total{by="scan_${reason}"}`;
      expect(after[name], reason).toBeGreaterThan(before[name]!);
    }
  });

  it("searches succeed while FAISS processes are killed and files are written, moved and removed", async () => {
    let killed = 0;
    for (let i = 0; i < 40; i++) {
      const uri = `ctx://resources/g${i}.md`;
      expect(
        (
          await server.rest(keys.ann!, "POST content/write", {
            uri,
            content: textOf(1000 + i),
            mode: "create",
          })
        ).http,
      ).toBe(200);
      if (i % 3 === 0)
        expect((await server.rest(keys.ann!, `DELETE fs?uri=${encodeURIComponent(uri)}`)).http).toBe(200);
      for (const pid of i % 4 === 0 ? [...faissProcesses("search"), ...faissProcesses("build")] : []) {
        process.kill(pid, "SIGKILL");
        killed++;
      }
      expect(urisOf(await find("ann", textOf(1000 + i))).includes(uri)).toBe(i % 3 !== 0);
      expect(urisOf(await find("bob", textOf(i)))).toContain(`ctx://user/bob/memories/f${i}.md`);
    }
    expect(killed).toBeGreaterThan(0);
    await expect.poll(served, SLOW).toBeGreaterThan(0);
  });

  it("searches succeed after a restart with a damaged neighbour index, which is rebuilt", async () => {
    const before = await find("bob", textOf(8));
    await server.restart(async () => {
      const files = (await filesBelow(`${server.dataDir}/index`)).filter(
        (path) => readFileSync(path).toString("latin1", 0, 4) === "IHNs",
      );
      expect(files.length).toBeGreaterThanOrEqual(1);
      for (const path of files) await flip(path);
    });
    expectSame(await find("bob", textOf(8)), before);
    await expect
      .poll(async () => (await figures()).ctxdb_neighbour_builds_total, SLOW)
      .toBeGreaterThanOrEqual(1);
    await expect.poll(served, SLOW).toBeGreaterThan(0);
    expectSame(await find("bob", textOf(8)), before);
  });
});
