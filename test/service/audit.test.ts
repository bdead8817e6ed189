import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { accountId, workspaceId } from "../../src/domain/ids.ts";
import { AuditTrail } from "../../src/service/observer/audit-trail.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { ramStores } from "../support/stores.ts";

interface Entry {
  readonly operation: string;
  readonly code: string;
  readonly account: string;
  readonly user: string;
  readonly subject: string;
  readonly peer: string;
}

interface Page {
  readonly entries: readonly Entry[];
}

const call = (request_id: string) => ({
  operation: "AccountService.ListUsers",
  wire: "rest",
  code: "OK",
  request_id,
  peer: "127.0.0.1",
  account: accountId("acme"),
  user: "ann",
  role: "admin",
  subject: undefined,
});
const failing = (what: string, error: unknown): void => {
  throw new Error(what, { cause: error });
};

describe("the audit trail", () => {
  it("the audit trail keeps 1,000 calls per workspace and 5,000 in total, even across a restart", async () => {
    const { kv } = ramStores();
    const open = () => AuditTrail.open({ kv, clock: () => 5, report: failing });
    const trail = await open();
    trail.add(call("quiet"), workspaceId(9));
    for (let at = 0; at < 1_500; at++) trail.add(call(`loud ${at}`), workspaceId(1));
    expect(trail.list(1, 10_000)).toHaveLength(1_000);
    expect(trail.list(9, 10).map(({ request_id }) => request_id)).toEqual(["quiet"]);
    for (let of = 20; of < 30; of++)
      for (let at = 0; at < 450; at++) trail.add(call(`${of} ${at}`), workspaceId(of));
    expect(trail.list("everything", 10_000)).toHaveLength(5_000);
    await trail.close();
    const again = await open();
    expect(again.list("everything", 10_000)).toEqual(trail.list("everything", 10_000));
    again.add(call("later"), workspaceId(1));
    expect(again.list("everything", 1)[0]?.request_id).toBe("later");
    expect(again.list("everything", 10_000)).toHaveLength(5_000);
    await again.close();
  });

  it("the audit trail cuts long names from callers", async () => {
    const trail = await AuditTrail.open({ kv: ramStores().kv, clock: () => 5, report: failing });
    trail.add({ ...call("long"), subject: `${"x".repeat(255)}😀` }, undefined);
    expect(trail.list("everything", 1)[0]?.subject).toBe(`${"x".repeat(255)}\ufffd`);
    await trail.close();
  });
});

describe("observer/audit", () => {
  let server: Served;
  let admin: string;
  beforeEach(async () => {
    server = await serve();
    const made = await server.rest(ROOT_KEY, "POST admin/accounts", {
      account_id: "acme",
      admin_user_id: "ann",
    });
    admin = (made.result as { user_key: string }).user_key;
    await server.rest(ROOT_KEY, "POST admin/accounts", { account_id: "other", admin_user_id: "eve" });
    await server.rest(admin, "POST admin/accounts/acme/users", { user_id: "bob" });
    await server.rest(admin, "GET admin/accounts/other/users");
    await server.rest("wrong-key", "GET fs/stat?uri=ctx://resources");
  });
  afterEach(() => server.close());
  const audit = async (key: string, query = "", headers = {}) =>
    (await server.rest(key, `GET observer/audit${query}`, undefined, headers)).result as Page;

  it("observer/audit shows ROOT all calls, and administrators those of their workspace without IP addresses", async () => {
    const all = (await audit(ROOT_KEY)).entries.map(({ operation, code }) => [operation, code]);
    expect(all).toEqual([
      ["FilesystemService.StatNode", "UNAUTHENTICATED"],
      ["AccountService.ListUsers", "PERMISSION_DENIED"],
      ["AccountService.RegisterUser", "OK"],
      ["AccountService.CreateAccount", "OK"],
      ["AccountService.CreateAccount", "OK"],
    ]);
    const own = await audit(admin);
    expect(own.entries.map(({ operation, subject, peer }) => [operation, subject, peer])).toEqual([
      ["AccountService.ListUsers", "other", ""],
      ["AccountService.RegisterUser", "acme/bob", ""],
    ]);
    expect(await audit(ROOT_KEY, "", { "X-Ctx-Account": "other" })).toMatchObject({ entries: [] });
    expect(JSON.stringify([all, own])).not.toContain(admin);
  });

  it("observer/audit names the group and the user in the record of a user added to a group", async () => {
    await server.rest(admin, "POST admin/accounts/acme/groups", { group_id: "crew" });
    await server.rest(admin, "PUT admin/accounts/acme/groups/crew/members/bob");
    await server.rest(admin, "DELETE admin/accounts/acme/groups/crew");
    const { entries } = await audit(admin, "?limit=3");
    expect(entries.map(({ operation, subject }) => [operation, subject])).toEqual([
      ["AccessService.DeleteGroup", "acme/crew"],
      ["AccessService.AddGroupMember", "acme/crew/bob"],
      ["AccessService.CreateGroup", "acme/crew"],
    ]);
  });

  it("observer/audit has pages, survives a restart, and shows nothing to a new workspace of the same name", async () => {
    await server.restart();
    const url = `http://127.0.0.1:${server.port}/api/v1/observer/audit?limit=3`;
    const page = await fetch(url, { headers: { "X-API-Key": ROOT_KEY } });
    const cursor = encodeURIComponent(page.headers.get("x-next-cursor") ?? "");
    expect((await audit(ROOT_KEY, `?limit=3&cursor=${cursor}`)).entries).toHaveLength(2);
    expect((await server.rest(admin, `GET observer/audit?cursor=${cursor}`)).error?.code).toBe(
      "INVALID_ARGUMENT",
    );
    await server.rest(ROOT_KEY, "DELETE admin/accounts/acme");
    const made = await server.rest(ROOT_KEY, "POST admin/accounts", {
      account_id: "acme",
      admin_user_id: "zoe",
    });
    expect(await audit((made.result as { user_key: string }).user_key)).toMatchObject({ entries: [] });
  });
});
