import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

const FOLDER = "ctx://agent/default/memories/patterns";
const LOCKS = `${FOLDER}/locks.md`;
const STATEMENT = "Check the lock before a flood of the basin";

describe("memories of agents that an account shares", () => {
  let served: Served;
  let boss: string;
  let bob: string;
  let id: string;

  const call = async (key: string, what: string, body?: object) => {
    const { http, result, error } = await served.rest(key, what, body);
    if (http >= 500) throw new Error(JSON.stringify(error));
    return { result: result as Record<string, unknown>, code: error?.code ?? "OK" };
  };
  const codeOf = async (what: string, body?: object, key = bob) => (await call(key, what, body)).code;
  const deny = (uri: string, level: string) =>
    call(boss, "POST access/grants", {
      uri,
      grantee_type: "user",
      grantee_id: "bob",
      level,
      effect: "deny",
    });
  const contentOf = async () =>
    (await call(boss, `GET content/read?uri=${encodeURIComponent(LOCKS)}`)).result as unknown as string;
  const processed = () => call(boss, "POST system/wait", { timeout: 60 });

  beforeEach(async () => {
    served = await serve({ CTXDB_AGENT_SCOPE: "account" });
    const account = await call(ROOT_KEY, "POST admin/accounts", {
      account_id: "acme",
      admin_user_id: "boss",
    });
    boss = String(account.result.user_key);
    const user = { user_id: "bob", role: "user" };
    bob = String((await call(boss, "POST admin/accounts/acme/users", user)).result.user_key);
    const made = await call(boss, "POST memories", {
      statement: STATEMENT,
      category: "patterns",
      subject: "locks",
    });
    const memory = made.result.memory as { memory_id: string; uri: string };
    expect(memory.uri).toBe(LOCKS);
    id = memory.memory_id;
  });
  afterEach(() => served.close());

  const listed = async () => JSON.stringify((await call(bob, "GET memories")).result);

  it("a memory on a path that is denied to a user is neither listed nor shown to that user", async () => {
    expect(await listed()).toContain(STATEMENT);
    expect(await codeOf(`GET memories/${id}`)).toBe("OK");
    await deny(FOLDER, "read");
    expect(await listed()).not.toContain(STATEMENT);
    expect(await codeOf(`GET memories/${id}`)).toBe("NOT_FOUND");
    expect(await codeOf(`GET memories/${id}/history`)).toBe("NOT_FOUND");
  });

  it.each([
    ["read", ["NOT_FOUND", "PERMISSION_DENIED"]],
    ["write", ["PERMISSION_DENIED"]],
  ])("a user to whom %s access to a path is denied cannot change a memory there", async (level, codes) => {
    await deny(FOLDER, level);
    const before = await contentOf();
    expect(before).toContain(STATEMENT);
    expect(codes).toContain(await codeOf(`PATCH memories/${id}`, { statement: "Open the lock" }));
    expect(codes).toContain(await codeOf(`DELETE memories/${id}`));
    const more = { statement: "Never check a lock", category: "patterns", subject: "locks" };
    expect(codes).toContain(await codeOf("POST memories", more));
    expect(codes).toContain(await codeOf("POST memories/forget", { uri: LOCKS }));
    expect(codes).toContain(await codeOf("POST memories/forget", { uri: FOLDER }));
    // nothing is selected
    await codeOf("POST memories/forget", { query: "lock before a flood" });
    await codeOf("POST memories/forget", { subject: "locks" });
    await processed();
    expect(await contentOf()).toBe(before);
  });

  it("forgetting erases the chunks and changes of a shared agent's memory, too", async () => {
    expect(await codeOf("POST memories/forget", { subject: "locks" }, boss)).toBe("OK");
    await processed();
    expect(await codeOf(`GET content/read?uri=${encodeURIComponent(LOCKS)}`, undefined, boss)).toBe(
      "NOT_FOUND",
    );
    const changes = await call(boss, "GET changes/list?from_start=true");
    expect(changes.code).toBe("OK");
    expect(JSON.stringify(changes.result)).not.toContain("locks");
  });
});
