import { describe, expect, it } from "vitest";
import { accountId } from "../../../src/domain/ids.ts";
import { Admission } from "../../../src/transport/pipeline/waiting-calls.ts";

const ACME = accountId("acme");

const afterTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Blocks the main thread as an operation does. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

describe("admission", () => {
  it("an operation starts at once while the main thread has time", async () => {
    const admission = new Admission();
    expect(admission.turn(ACME)).toBeUndefined();
    await afterTurn();
    expect(admission.turn(ACME)).toBeUndefined();
  });

  it("admission yields to the event loop between operations, and accounts take turns", async () => {
    const admission = new Admission();
    admission.turn(ACME);
    work(10);
    const begun: string[] = [];
    let rounds = 0;
    let ended = false;
    const calls = [..."aaaaaaaab"].map(async (account) => {
      await admission.turn(accountId(account));
      begun.push(account);
      work(10);
    });
    const count = async () => {
      for (; !ended; rounds++) await afterTurn();
    };
    const counting = count();
    await Promise.all(calls);
    ended = true;
    await counting;
    expect(begun.join("")).toBe("abaaaaaaa");
    expect(rounds).toBeGreaterThanOrEqual(calls.length);
    expect(admission.waiting).toBe(0);
  });

  it("admission refuses too many waiting operations of one account and serves the others", async () => {
    const admission = new Admission();
    admission.turn(ACME);
    work(10);
    const waiting = Array.from({ length: 2000 }, () => admission.turn(ACME));
    expect(() => admission.turn(ACME)).toThrow(expect.objectContaining({ code: "UNAVAILABLE" }));
    const other = admission.turn(accountId("globex"));
    await other;
    expect(admission.waiting).toBeGreaterThan(1900);
    await Promise.all(waiting);
    await afterTurn();
    expect(admission.turn(ACME)).toBeUndefined();
  });
});
