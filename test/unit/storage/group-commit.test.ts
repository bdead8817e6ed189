import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { nextTurnIfOver } from "../../../src/base/event-loop.ts";
import { GroupCommit, type Place } from "../../../src/storage/group-commit.ts";
import type { KvOp } from "../../../src/storage/kv.ts";

/** A store in memory whose writes become visible when they are revealed. */
class RamPlace implements Place {
  readonly lost = undefined;
  readonly writes: (readonly string[])[] = [];
  /** Keys whose changes are written separately, and keys whose changes are refused. */
  alone = "";
  refused = "";
  /** Refuses the next write. */
  failure: Error | undefined;
  readonly #values = new Map<string, Uint8Array | undefined>();
  #hidden: readonly KvOp[] = [];

  get(key: string): Uint8Array | undefined {
    return this.#values.get(key);
  }

  admit(ops: readonly KvOp[]): { readonly isAlone: boolean } {
    if (ops.some(({ key }) => key === this.refused)) throw new Error("not here");
    return { isAlone: ops.some(({ key }) => key === this.alone) };
  }

  async write(ops: readonly KvOp[]): Promise<void> {
    const { failure } = this;
    this.failure = undefined;
    if (failure) throw failure;
    this.writes.push(ops.map(({ key }) => key));
    this.#hidden = ops;
  }

  reveal(): void {
    for (const { key, value } of this.#hidden) this.#values.set(key, value);
    this.#hidden = [];
  }
}

const begin = () => {
  const place = new RamPlace();
  const commits = new GroupCommit(place, pino({ level: "silent" }), () => undefined);
  const put = (key: string, value: string) =>
    commits.transact(() => ({
      ops: [{ key, value: Buffer.from(value) }],
      apply: () => String(place.get(key)),
    }));
  return { place, commits, put };
};

describe("group commit", () => {
  it("group commit writes simultaneous transactions as one group and applies them afterwards", async () => {
    const { place, put } = begin();
    expect(await Promise.all([put("a", "1"), put("b", "2"), put("c", "3")])).toEqual(["1", "2", "3"]);
    expect(place.writes).toEqual([["a", "b", "c"]]);
  });

  it("a transaction sees the writes of earlier ones in its group", async () => {
    const { commits, put } = begin();
    const first = put("a", "1");
    const seen = commits.transact((read) => {
      const value = String(read.get("a"));
      return { ops: [], apply: () => value };
    });
    await first;
    expect(await seen).toBe("1");
  });

  it("a failed group commit refuses the whole group, and the next group is written", async () => {
    const { place, put } = begin();
    place.failure = new Error("no room");
    const group = await Promise.allSettled([put("a", "1"), put("b", "2")]);
    expect(group.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(place.get("a")).toBeUndefined();
    expect(await put("a", "3")).toBe("3");
  });

  it("changes that were not written are rolled back in reverse order before the next decision", async () => {
    const { place, commits, put } = begin();
    const seen: string[] = [];
    const change = (key: string) =>
      commits.transact(() => {
        seen.push(`decide ${key}`);
        return {
          ops: [{ key, value: Buffer.from(key) }],
          apply: () => seen.push(`apply ${key}`),
          refused: () => seen.push(`take back ${key}`),
        };
      });
    place.failure = new Error("no room");
    // the third one is decided for the failing group, but waits for a group of its own
    place.alone = "c";
    place.refused = "b";
    await Promise.allSettled(["a", "b", "d", "c", "e"].map(change));
    expect(seen).toEqual([
      ...["decide a", "decide b", "take back b", "decide d", "decide c"],
      ...["take back c", "take back d", "take back a", "decide e", "apply e"],
    ]);
    expect(await put("a", "3")).toBe("3");
  });

  it("a change that must be written alone is in a group of its own", async () => {
    const { place, put } = begin();
    place.alone = "b";
    const puts = ["a", "b", "c", "d"].map((key) => put(key, key));
    expect(await Promise.all(puts)).toEqual(["a", "b", "c", "d"]);
    expect(place.writes).toEqual([["a"], ["b"], ["c", "d"]]);
  });

  it("a change that the store does not accept is refused, and others of its group are written", async () => {
    const { place, put } = begin();
    place.refused = "b";
    const ends = await Promise.allSettled([put("a", "1"), put("b", "2"), put("c", "3")]);
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(place.writes).toEqual([["a", "c"]]);
  });

  it("a group is written in a later turn of the event loop if the time of the current one is used up", async () => {
    const { commits } = begin();
    const work = (ms: number) => {
      for (const end = performance.now() + ms; performance.now() < end; );
    };
    let turn = 0;
    const count = () => {
      turn++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    nextTurnIfOver();
    work(10);
    const decided = await commits.transact(() => {
      const at = turn;
      work(10);
      return { ops: [{ key: "a", value: Buffer.from("1") }], apply: () => at };
    });
    clearImmediate(counting);
    expect(decided).toBeGreaterThan(0);
    expect(turn).toBeGreaterThan(decided);
  });

  it("closing group commit ends pending transactions and refuses later ones", async () => {
    const { commits, put } = begin();
    const under = put("a", "1");
    await commits.close();
    expect(await under).toBe("1");
    await expect(put("b", "2")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
