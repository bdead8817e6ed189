import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

let served: Served;
beforeAll(async () => {
  served = await serve({ CTXDB_AGENT_SCOPE: "account" });
});
afterAll(() => served.close());

it("a relation to a node of a shared agent is not listed for a user who may not read the node", async () => {
  const call = async <T>(key: string, path: string, body?: object): Promise<T> => {
    const { result, error } = await served.rest(key, path, body);
    expect(error).toBeUndefined();
    return result as T;
  };
  const account = { account_id: "acme", admin_user_id: "ann" };
  const { user_key: ann } = await call<{ user_key: string }>(ROOT_KEY, "POST admin/accounts", account);
  const user = { user_id: "bob", role: "user" };
  const made = await call<{ user_key: string }>(ann, "POST admin/accounts/acme/users", user);
  const bob = made.user_key;
  const secret = "ctx://agent/helper/secret";
  const [from, to] = ["ctx://resources/a.md", `${secret}/plan.md`];
  for (const uri of [from, to])
    await call(ann, "POST content/write", { uri, content: "owl", mode: "create" });
  await call(ann, "POST relations/link", { from_uri: from, to_uris: [to], reason: "the takeover" });
  const list = async (key: string) =>
    JSON.stringify(await call(key, `GET relations?uri=${encodeURIComponent(from)}`));
  expect(await list(bob)).toContain("takeover");
  await call(ann, "POST access/grants", {
    uri: secret,
    grantee_type: "user",
    grantee_id: "bob",
    level: "read",
    effect: "deny",
  });
  expect(await list(ann)).toContain("takeover");
  expect(await list(bob)).not.toMatch(/takeover|secret/);
});
