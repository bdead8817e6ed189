import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ObserverService } from "../../gen/ctxdb/v1/observer_pb.ts";
import { userIncarnation } from "../../src/domain/ids.ts";
import { IMPORT, type NewJob, rememberJob, SWEEP, sweepJob } from "../../src/domain/job.ts";
import { deadLetterKey } from "../../src/domain/job-keys.ts";
import { nodeId } from "../../src/domain/node.ts";
import { listDeadLetters } from "../../src/service/observer/list-dead-letters.ts";
import { retryDeadLetter } from "../../src/service/observer/retry-dead-letter.ts";
import { encodeRecord } from "../../src/storage/record-codec.ts";
import { clientsOf } from "../conformance/wire/clients.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { House } from "../support/tenant.ts";

async function opened() {
  const house = await House.open(undefined, false);
  const ann = house.as("ann");
  const { workspace } = await ann.tenant();
  const { incarnation } = workspace;
  const giveUp = async (job: NewJob, reason: string) => {
    await workspace.transact((draft) => {
      house.queue.enqueue(draft, job);
      return () => undefined;
    });
    const claimed = await house.queue.claim(job.queue);
    if (!claimed) throw new Error("nothing was claimed");
    await house.queue.deadLetter(claimed, reason);
  };
  const list = (input: { limit?: number; cursor?: string } = {}) =>
    listDeadLetters(house.deps, ann.call, input);
  return { house, ann, workspace, incarnation, giveUp, list };
}

describe("dead letters", () => {
  it("dead letters are listed newest first, page by page, with reason and attempts", async () => {
    const { house, incarnation, giveUp, list } = await opened();
    for (const reason of ["first", "second", "third"]) await giveUp(sweepJob(incarnation, 0), reason);
    const page = await list({ limit: 2 });
    expect(page.deadLetters.map(({ reason, attempts, kind }) => [reason, attempts, kind])).toEqual([
      ["third", 1, SWEEP],
      ["second", 1, SWEEP],
    ]);
    const rest = await list({ limit: 2, ...(page.nextCursor && { cursor: page.nextCursor }) });
    expect(rest.deadLetters.map(({ reason }) => reason)).toEqual(["first"]);
    expect(rest.nextCursor).toBeUndefined();
    await expect(list({ cursor: "forged" })).rejects.toThrow("cursor");
    await expect(list({ limit: 0 })).rejects.toThrow("limit");
    await house.close();
  });

  it("retrying a dead letter removes it from the list and runs its job with the same payload", async () => {
    const { house, ann, incarnation, giveUp, list } = await opened();
    await giveUp(
      rememberJob(incarnation, { user: "ann" }, { session: nodeId(99), archive: 7 }, []),
      "no model",
    );
    const [letter] = (await list()).deadLetters;
    expect(letter).toMatchObject({ retryable: true, queue: "semantic" });
    const id = letter?.id ?? "";
    expect(await retryDeadLetter(house.deps, ann.call, { id })).toEqual({ id, queue: "semantic" });
    expect((await list()).deadLetters).toEqual([]);
    expect([...house.queue.jobs()].map(({ payload, attempts }) => [payload, attempts])).toEqual([
      [{ session: 99, archive: 7 }, 0],
    ]);
    await expect(retryDeadLetter(house.deps, ann.call, { id })).rejects.toThrow("dead letter not found");
    await house.close();
  });

  it.each(["", "x", "-1", "1e3", "01", "9".repeat(15), "../q"])(
    "retrying a dead letter with the id %j returns NOT_FOUND",
    async (id) => {
      const { house, ann } = await opened();
      await expect(retryDeadLetter(house.deps, ann.call, { id })).rejects.toThrow("dead letter not found");
      await house.close();
    },
  );

  it("dead letters of imports, large jobs, removed users and earlier versions cannot be retried", async () => {
    const { house, ann, workspace, incarnation, giveUp, list } = await opened();
    const job = { queue: "semantic", class: "bulk", workspace: incarnation, origins: [] } as const;
    const other = { payload: null, sameAs: undefined };
    await giveUp({ ...job, ...other, kind: IMPORT, queue: "import" }, "an import");
    await giveUp({ ...job, ...other, kind: "large", payload: "x".repeat(65 * 1024) }, "a large job");
    await giveUp(
      { ...job, ...other, kind: "owned", owner: { user: "gone", incarnation: userIncarnation(7) } },
      "a removed user",
    );
    const old = {
      queue: "semantic",
      kind: "old",
      workspace: incarnation,
      sequence: 9_000,
      reason: "old",
      at: 1,
    };
    await workspace.transact((draft) => {
      draft.put(deadLetterKey(old), encodeRecord(old));
      return () => undefined;
    });
    const { deadLetters } = await list();
    expect(deadLetters.map(({ reason, retryable }) => [reason, retryable])).toEqual([
      ["old", false],
      ["a removed user", false],
      ["a large job", false],
      ["an import", false],
    ]);
    for (const { id } of deadLetters)
      await expect(retryDeadLetter(house.deps, ann.call, { id })).rejects.toMatchObject({
        code: "FAILED_PRECONDITION",
      });
    await house.close();
  });

  it("dead letters of one workspace can be neither seen nor retried from another", async () => {
    const { house, incarnation, giveUp, list } = await opened();
    await giveUp(sweepJob(incarnation, 0), "of acme");
    const [letter] = (await list()).deadLetters;
    const eve = house.as("eve", "other", "admin");
    await eve.tenant();
    expect((await listDeadLetters(house.deps, eve.call, {})).deadLetters).toEqual([]);
    await expect(retryDeadLetter(house.deps, eve.call, { id: letter?.id ?? "" })).rejects.toThrow(
      "not found",
    );
    const user = house.as("ann", "acme", "user");
    await expect(listDeadLetters(house.deps, user.call, {})).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
    await house.close();
  });
});

describe("dead letters and the audit log over the wires", () => {
  let server: Served;
  let keys: Record<"root" | "admin" | "user", string>;
  beforeAll(async () => {
    server = await serve();
    const made = await server.rest(ROOT_KEY, "POST admin/accounts", {
      account_id: "acme",
      admin_user_id: "ann",
    });
    const { user_key: admin } = made.result as { user_key: string };
    const added = await server.rest(admin, "POST admin/accounts/acme/users", { user_id: "bob" });
    keys = { root: ROOT_KEY, admin, user: (added.result as { user_key: string }).user_key };
  });
  afterAll(() => server.close());

  it("only ROOT and administrators may access dead letters and the audit trail on every protocol", async () => {
    const { listDeadLetters: list, retryDeadLetter: retry, listAudit } = ObserverService.method;
    for (const client of clientsOf(server.port)) {
      const codes = async (key: string) => {
        const headers = { "x-api-key": key };
        return [
          (await client.call(list, {}, headers)).code,
          (await client.call(retry, { id: "12" }, headers)).code,
          (await client.call(listAudit, {}, headers)).code,
        ];
      };
      expect([client.name, await codes(keys.root)]).toEqual([client.name, ["OK", "NOT_FOUND", "OK"]]);
      expect([client.name, await codes(keys.admin)]).toEqual([client.name, ["OK", "NOT_FOUND", "OK"]]);
      const refused = ["PERMISSION_DENIED", "PERMISSION_DENIED", "PERMISSION_DENIED"];
      expect([client.name, await codes(keys.user)]).toEqual([client.name, refused]);
    }
  });
});
