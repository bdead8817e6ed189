import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServiceError, STATUS } from "../../src/domain/errors.ts";
import { grpcCode } from "../../src/transport/rpc/status.ts";
import { serve } from "../support/served.ts";
import { CODES, FAILURES, IDENTIFIERS, PERMISSIONS, READABLE, WRITABLE } from "./access.ts";
import { type Role, World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.open();
  await world.done("POST sessions", { session_id: "expired" });
  await world.done("DELETE sessions/expired");
});
afterAll(() => world.close());

const codeOf = async (role: Role, call: string, body?: object) =>
  (await world.call(role, call, body)).error?.code ?? "OK";

describe("an error code", () => {
  it.each(CODES)("the error code %s maps to HTTP %i and gRPC status %i", (code, http, grpc) => {
    const error = new ServiceError(code, "x");
    expect([error.http, grpcCode(error)]).toEqual([http, grpc]);
  });

  it("the error codes are exactly those of the specification", () =>
    expect(Object.keys(STATUS).sort()).toEqual(CODES.map(([code]) => code).sort()));

  it.each(
    FAILURES.map((row) => [row.code, row.call, JSON.stringify(row.body ?? {}).slice(0, 60), row] as const),
  )("the error %s is returned for %s %s", async (code, _, __, row) => {
    const { call, body } = await world.filled({ call: row.call, body: row.body });
    const { http, status, error, result, time } = await world.call(row.as ?? "user", call, body);
    expect([http, status, error?.code, result]).toEqual([
      CODES.find(([known]) => known === code)![1],
      "error",
      code,
      undefined,
    ]);
    expect(Object.keys((error?.details as object) ?? {})).toEqual(expect.arrayContaining([...row.details]));
    expect([error!.message.length > 0, Number(time) >= 0]).toEqual([true, true]);
  });
});

describe("the permission matrix", () => {
  const cells = PERMISSIONS.flatMap((row) =>
    (["root", "admin", "user"] as const).map((role) => [role, row.operation, row.may[role], row] as const),
  );
  it.each(cells)("the role %s may %s: %s", async (role, _, may, row) => {
    const { call, body } = await world.filled({ call: row.call, body: row.body });
    const code = await codeOf(role, call, body);
    if (may) expect(code).toBe("OK");
    // a root caller is told what does not exist
    else expect(code).toBe(role === "root" ? "NOT_FOUND" : "PERMISSION_DENIED");
  });

  it("a change of role between admin and user takes effect at once", async () => {
    const { key } = {
      key: (
        await world.done<{ user_key: string }>("POST admin/accounts/acme/users", { user_id: "cy" }, "admin")
      ).user_key,
    };
    const users = async () => (await world.server.rest(key, "GET admin/accounts/acme/users")).http;
    for (const [role, http] of [
      ["user", 403],
      ["admin", 200],
      ["admin", 200],
      ["user", 403],
    ] as const) {
      await world.done("PUT admin/accounts/acme/users/cy/role", { role }, "root");
      expect(await users()).toBe(http);
    }
    await world.done("POST admin/accounts/acme/users/cy/key", undefined, "root");
    expect(await users()).toBe(401);
  });

  it("a server without a root key refuses all administration and explains why", async () => {
    const open = await serve({ CTXDB_ROOT_API_KEY: undefined as unknown as string });
    const { http, error } = await open.rest("", "GET admin/accounts");
    expect([http, error?.code, error?.message]).toEqual([
      403,
      "PERMISSION_DENIED",
      expect.stringMatching(/root/i),
    ]);
    expect((await open.rest("", "GET system/status")).result).toMatchObject({
      role: "root",
      account: "default",
      user: "default",
    });
    await open.close();
  });
});

describe("the namespace", () => {
  it.each(READABLE)("stat and ls of the URI %s return the code %s", async (uri, code) => {
    expect(await codeOf("user", `GET fs/stat?uri=${encodeURIComponent(uri)}`)).toBe(code);
    const listed = await world.call("user", `GET fs/ls?simple=true&uri=${encodeURIComponent(uri)}`);
    expect(listed.error?.code ?? "OK").toBe(code);
    for (const found of (listed.result as string[]) ?? []) expect(found).toMatch(/^ctx:\/\/.*[^/]$/);
  });

  it.each(WRITABLE)("creating the directory %s returns the code %s", async (uri, code) => {
    expect(await codeOf("user", "POST fs/mkdir", { uri })).toBe(code);
    // it may exist by now
    const again = code === "OK" ? "ALREADY_EXISTS" : code;
    expect(await codeOf("user", "POST fs/mkdir", { uri: `${uri}/`.replace("///", "//") })).toBe(again);
  });

  it.each(IDENTIFIERS)("%j is a valid identifier: %s", async (id, isOne) => {
    const code = isOne ? "OK" : "INVALID_ARGUMENT";
    expect(await codeOf("root", "POST admin/accounts/other/users", { user_id: id })).toBe(code);
    expect(await codeOf("root", "POST admin/accounts", { account_id: id, admin_user_id: "a" })).toBe(code);
    // an empty one is omitted
    if (id !== "") expect(await codeOf("user", "POST sessions", { session_id: id })).toBe(code);
  });

  it("the agent in the X-Ctx-Agent header is used, and the reserved name skills is refused", async () => {
    const as = async (agent: string) =>
      (await world.call("user", "POST sessions", undefined, { "X-Ctx-Agent": agent })).error?.code;
    expect([await as("helper"), await as("skills"), await as("-")]).toEqual([
      undefined,
      "INVALID_ARGUMENT",
      "INVALID_ARGUMENT",
    ]);
  });
});
