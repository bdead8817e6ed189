import type { DescMethodUnary, JsonObject } from "@bufbuild/protobuf";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AccessService } from "../../gen/ctxdb/v1/access_pb.ts";
import { ContentService } from "../../gen/ctxdb/v1/content_pb.ts";
import { FilesystemService } from "../../gen/ctxdb/v1/filesystem_pb.ts";
import { clientsOf } from "../conformance/wire/clients.ts";
import {
  type AccessCase,
  AGENT,
  type Asker,
  accessCases,
  FOLDERS,
  GROUPS,
  granteeFields,
  granterOf,
  isShown,
  levelOf,
  RANK,
  USERS,
} from "../support/access-model.ts";
import { CHANGE_WIRES, Watcher } from "../support/change-watcher.ts";
import { DavClient } from "../support/dav-client.ts";
import { mcpOver } from "../support/mcp.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { WebhookReceiver } from "../support/webhook-receiver.ts";

/** Number of samples of groups and grants per protocol; the samples are the same in each run. */
const COUNT = Number(process.env.ACCESS_SAMPLES ?? 2);
const SAMPLES: readonly AccessCase[] = fc.sample(accessCases, { numRuns: COUNT, seed: 26 });
const fileIn = (folder: string): string => `${folder}/f.md`;

interface May {
  /** The asker can see that the folder exists. */
  readonly see: boolean;
  readonly read: boolean;
  readonly write: boolean;
  readonly share: boolean;
}

function mayAt(given: AccessCase, asker: Asker, folder: string): May {
  const level = levelOf(given, asker, folder);
  const [read, write, share] = [RANK.read, RANK.write, RANK.admin].map((needed) => level >= needed);
  return { see: isShown(given, asker, folder), read: read!, write: write!, share: share! };
}

const refused = (isThere: boolean): string => (isThere ? "PERMISSION_DENIED" : "NOT_FOUND");

describe("grants on the wires", () => {
  let served: Served;
  const keys: Record<string, string> = {};

  const rest = async (user: string, call: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await served.rest(keys[user] ?? "", call, body);
    if (answer.error) throw new Error(`${call}: ${answer.error.code}: ${answer.error.message}`);
    return answer.result as Record<string, unknown>;
  };
  const fieldsOf = (to: string) => {
    const { granteeType, granteeId } = granteeFields(to);
    return { grantee_type: granteeType, grantee_id: granteeId };
  };
  const grant = (by: string, uri: string, to: string, level: string, effect = "allow") =>
    rest(by, "POST access/grants", { uri, ...fieldsOf(to), level, effect });
  const revoke = (by: string, uri: string, to: string) =>
    rest(by, "DELETE access/grants", { uri, ...fieldsOf(to) });
  const write = (by: string, uri: string) =>
    rest(by, "POST content/write", { uri, content: "A heron.", mode: "create" });

  beforeAll(async () => {
    served = await serve({ CTXDB_WEBHOOK_ALLOW_PRIVATE: "true", CTXDB_CHANGES_HEARTBEAT_SECONDS: "50" });
    const account = { account_id: "acme", admin_user_id: "boss" };
    const made = await served.rest(ROOT_KEY, "POST admin/accounts", account);
    keys.boss = (made.result as { user_key: string }).user_key;
    for (const user of USERS)
      keys[user] = String((await rest("boss", "POST admin/accounts/acme/users", { user_id: user })).user_key);
    for (const group of GROUPS) await rest("boss", "POST admin/accounts/acme/groups", { group_id: group });
    for (const folder of FOLDERS) await write(granterOf(folder), fileIn(folder));
    await write("bob", "ctx://user/bob/first.md");
  });
  afterAll(() => served.close());

  async function apply({ members, grants }: AccessCase): Promise<void> {
    for (const [group, users] of Object.entries(members))
      for (const user of users) await rest("boss", `PUT admin/accounts/acme/groups/${group}/members/${user}`);
    for (const { folder, to, level, isDeny } of grants)
      await grant(granterOf(folder), folder, to, level, isDeny ? "deny" : "allow");
  }
  async function undo({ members, grants }: AccessCase): Promise<void> {
    for (const { folder, to } of grants) await revoke(granterOf(folder), folder, to);
    for (const [group, users] of Object.entries(members))
      for (const user of users)
        await rest("boss", `DELETE admin/accounts/acme/groups/${group}/members/${user}`);
  }
  const askers = [...USERS.map((user) => ({ user, agent: "default" })), { user: "bob", agent: AGENT }];

  /** Each asker and folder for some of the samples, with the access that the reference model grants. */
  async function everywhere(
    samples: readonly AccessCase[],
    check: (asker: (typeof askers)[number], folder: string, may: May, about: string) => Promise<void>,
  ): Promise<void> {
    for (const given of samples) {
      await apply(given);
      for (const asker of askers)
        for (const folder of FOLDERS) {
          const about = `${asker.user} by ${asker.agent} at ${folder} with ${JSON.stringify(given)}`;
          await check(asker, folder, mayAt(given, asker, folder), about);
        }
      await undo(given);
    }
  }

  it("typed protocols and REST return for each folder exactly what a simple access model predicts", async () => {
    const clients = clientsOf(served.port);
    await everywhere(SAMPLES, async (asker, folder, may, about) => {
      const headers = { "x-api-key": keys[asker.user] ?? "", "x-ctx-agent": asker.agent };
      const written = { uri: fileIn(folder), content: "x", mode: "create" };
      const nobody = { uri: folder, grantee_type: "agent", grantee_id: "nobody" };
      for (const client of clients) {
        const code = async (method: DescMethodUnary, request: JsonObject) =>
          (await client.call(method, request, headers)).code;
        expect(
          [
            await code(ContentService.method.readContent, { uri: fileIn(folder) }),
            await code(FilesystemService.method.statNode, { uri: folder }),
            await code(ContentService.method.writeContent, written),
            await code(AccessService.method.explainAccess, { uri: folder }),
            await code(AccessService.method.revokeAccess, nobody),
          ],
          `${client.name}: ${about}`,
        ).toEqual([
          may.read ? "OK" : "NOT_FOUND",
          may.see ? "OK" : "NOT_FOUND",
          may.write ? "ALREADY_EXISTS" : refused(may.read),
          may.see ? "OK" : "NOT_FOUND",
          may.share ? "OK" : refused(may.see),
        ]);
      }
    });
  }, 600_000);

  it("WebDAV and MCP show and change exactly what a simple access model predicts for each folder", async () => {
    await everywhere(SAMPLES, async ({ user, agent }, folder, may, about) => {
      const headers = { "x-ctx-agent": agent };
      const mcp = await mcpOver(served.port, { ...headers, "x-api-key": keys[user] ?? "" });
      const told = async (name: string, args: Record<string, unknown>) =>
        JSON.stringify(await mcp.client.callTool({ name, arguments: args }));
      const dav = new DavClient(() => served.port, keys[user]);
      const path = fileIn(folder).slice("ctx://".length);
      expect(
        [
          (await told("read", { uri: fileIn(folder) })).includes("A heron."),
          (await told("glob", { pattern: "f.md", uri: folder })).includes(fileIn(folder)),
          await dav.status(`GET ${path}`, { headers }),
          await dav.status(`PUT ${path}`, { body: "x", headers: { ...headers, "if-none-match": "*" } }),
        ],
        about,
      ).toEqual([
        may.read,
        may.read,
        may.read ? 200 : 404,
        may.write ? 412 : may.read ? 403 : may.see ? 404 : 409,
      ]);
      await mcp.client.close();
    });
  }, 600_000);

  describe.each(CHANGE_WIRES)("WatchChanges over %s", (wire, open) => {
    it("a stream shows shared content from the first change after the grant until the grant is removed", async () => {
      const folder = `ctx://user/ann/${wire.replaceAll(/\W/g, "-")}`;
      const own = `ctx://user/bob/${wire.replaceAll(/\W/g, "-")}`;
      await write("ann", `${folder}/first.md`);
      const headers = { "x-api-key": keys.bob ?? "" };
      const watcher = new Watcher(open, `http://127.0.0.1:${served.port}`, { kinds: ["added"] }, headers);
      expect(await watcher.next()).toMatchObject({ event: "start" });
      await write("ann", `${folder}/hidden.md`);
      await write("bob", `${own}-1.md`);
      expect(await watcher.changes(1)).toEqual([`added ${own}-1.md`]);
      await grant("ann", folder, "user:bob", "read");
      await write("ann", `${folder}/shown.md`);
      expect(await watcher.changes(1)).toEqual([`added ${folder}/shown.md`]);
      await revoke("ann", folder, "user:bob");
      await write("ann", `${folder}/hidden-again.md`);
      await write("bob", `${own}-2.md`);
      expect(await watcher.changes(1)).toEqual([`added ${own}-2.md`]);
      await watcher.leave();
    });
  });

  it("a webhook sends only changes that its user may read at the time of sending", async () => {
    const folder = "ctx://user/ann/hooked";
    await write("ann", `${folder}/first.md`);
    const receiver = await WebhookReceiver.open();
    const create = (uri?: string) =>
      rest("bob", "POST webhooks", { url: receiver.url, uri, kinds: ["added"] });
    await expect(create(folder)).rejects.toThrow("NOT_FOUND");
    const { webhook } = (await create()) as { webhook: { webhook_id: string } };
    await grant("ann", folder, "user:bob", "read");
    await write("ann", `${folder}/shown.md`);
    await receiver.until(() => receiver.lines().length >= 1);
    await revoke("ann", folder, "user:bob");
    await write("ann", `${folder}/hidden.md`);
    // changes are sent in order
    await write("bob", "ctx://user/bob/last.md");
    await receiver.until(() => receiver.lines().some((line) => line.endsWith("/last.md")));
    expect(receiver.lines().filter((line) => line.endsWith(".md"))).toEqual([
      `added ${folder}/shown.md`,
      "added ctx://user/bob/last.md",
    ]);
    await rest("bob", `DELETE webhooks/${webhook.webhook_id}`);
    await receiver.close();
  });
});
