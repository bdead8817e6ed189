import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { signatureOf, WebhookReceiver } from "../support/webhook-receiver.ts";

interface Hook {
  readonly webhook_id: string;
  readonly state: string;
  readonly pause_reason?: string;
  readonly failed_attempts: number;
}

/** Kinds of changes without the layers, which are generated later. */
const KINDS = ["added", "changed", "moved", "removed"];
/** Number of delivery attempts of the tested server. */
const ATTEMPTS = 2;

describe("webhooks", () => {
  let served: Served;
  let receiver: WebhookReceiver;
  const keys: Record<string, string> = {};
  let folder = "";
  let made = 0;

  const ask = (user: string, call: string, body?: object) => served.rest(keys[user] ?? "", call, body);
  const rest = async <T = Record<string, unknown>>(user: string, call: string, body?: object): Promise<T> => {
    const answer = await ask(user, call, body);
    if (answer.error) throw new Error(`${answer.error.code}: ${answer.error.message}`);
    return answer.result as T;
  };
  const write = (user: string, uri: string, mode = "create") =>
    rest(user, "POST content/write", { uri, content: `text ${made++}`, mode });
  const addUser = async (user: string): Promise<void> => {
    keys[user] = (
      await rest<{ user_key: string }>("ada", "POST admin/accounts/acme/users", { user_id: user })
    ).user_key;
  };
  const create = async (user: string, more: object = {}) => {
    const asked = { url: receiver.url, uri: folder, kinds: KINDS, ...more };
    const { webhook, secret } = await rest<{ webhook: Hook; secret: string }>(user, "POST webhooks", asked);
    return { id: webhook.webhook_id, secret };
  };
  const get = (user: string, id: string) => rest<Hook>(user, `GET webhooks/${id}`);
  /** Returns the codes and outcomes recorded, newest first. */
  const deliveries = (user: string, id: string) =>
    rest<{ outcome: string; status?: number; error?: string; delivery_id: string }[]>(
      user,
      `GET webhooks/${id}/deliveries`,
    );
  const until = async (isThere: () => Promise<boolean>): Promise<void> => {
    while (!(await isThere())) await new Promise(setImmediate);
  };

  beforeAll(async () => {
    served = await serve({
      CTXDB_WEBHOOK_ALLOW_PRIVATE: "true",
      CTXDB_WEBHOOK_ATTEMPTS: String(ATTEMPTS),
      CTXDB_WEBHOOK_RETRY_MS: "1",
      CTXDB_WEBHOOK_TIMEOUT_SECONDS: "1",
    });
    const account = { account_id: "acme", admin_user_id: "ada" };
    const { result } = await served.rest(ROOT_KEY, "POST admin/accounts", account);
    keys.ada = (result as { user_key: string }).user_key;
    for (const user of ["bob", "eve"]) await addUser(user);
  });
  afterAll(() => served.close());

  beforeEach(async () => {
    receiver = await WebhookReceiver.open();
    folder = `ctx://resources/f${made++}`;
  });
  afterEach(async () => {
    for (const user of Object.keys(keys))
      for (const { webhook_id } of await rest<Hook[]>(user, "GET webhooks"))
        await rest(user, `DELETE webhooks/${webhook_id}`);
    await receiver.close();
  });

  it("a webhook sends writes, moves and removals below its directory in commit order", async () => {
    await create("ada");
    await write("bob", `${folder}/a.md`);
    await write("bob", `ctx://resources/elsewhere-${made}.md`);
    await write("ada", `${folder}/a.md`, "replace");
    await rest("ada", "POST fs/mv", { from_uri: `${folder}/a.md`, to_uri: `${folder}/b.md` });
    await rest("ada", `DELETE fs?uri=${encodeURIComponent(`${folder}/b.md`)}`);
    await receiver.until(() => receiver.lines().length >= 5);
    expect(receiver.lines()).toEqual([
      `added ${folder}`,
      `added ${folder}/a.md`,
      `changed ${folder}/a.md`,
      `moved ${folder}/b.md`,
      `removed ${folder}/b.md`,
    ]);
  });

  it("a message is signed by the scheme of Standard Webhooks and uses the field names of the JSON API", async () => {
    const { id, secret } = await create("ada", { kinds: ["added"] });
    await write("bob", `${folder}/a.md`);
    await receiver.until(() => receiver.lines().length >= 2);
    const [first] = receiver.received;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(first?.signature).toBe(signatureOf(secret, first!));
    expect(Math.abs(Number(first?.timestamp) - Date.now() / 1000)).toBeLessThan(300);
    expect(first?.body).toMatchObject({
      type: "changes",
      webhook_id: id,
      data: {
        changes: [
          { kind: "added", uri: folder, is_dir: true, user: "bob" },
          { is_dir: false, version: 1 },
        ],
      },
    });
  });

  it("messages have the signatures of both secrets after a rotation, and only the new one without an overlap", async () => {
    const { id, secret } = await create("ada");
    const { secret: second } = await rest<{ secret: string }>("ada", `POST webhooks/${id}/secret`, {});
    await write("ada", `${folder}/a.md`);
    await receiver.until(() => receiver.received.length >= 1);
    const [first] = receiver.received;
    expect(first?.signature.split(" ")).toEqual([signatureOf(second, first!), signatureOf(secret, first!)]);
    const { secret: third } = await rest<{ secret: string }>("ada", `POST webhooks/${id}/secret`, {
      overlap_hours: 0,
    });
    const before = receiver.received.length;
    await write("ada", `${folder}/b.md`);
    await receiver.until(() => receiver.received.length > before);
    const last = receiver.received.at(-1);
    expect(last?.signature).toBe(signatureOf(third, last!));
  });

  it("a failed delivery is repeated with the same id and content", async () => {
    let left = 1;
    receiver.answer = () => (left-- > 0 ? 500 : 200);
    const { id } = await create("ada");
    await write("ada", `${folder}/a.md`);
    await receiver.until(() => receiver.received.length >= 2);
    const [first, second] = receiver.received;
    expect(second?.id).toBe(first?.id);
    expect(second?.text).toBe(first?.text);
    await until(async () => (await deliveries("ada", id)).length >= 2);
    expect((await deliveries("ada", id)).slice(-2)).toMatchObject([
      { outcome: "delivered", status: 200, attempt: 2 },
      { outcome: "failed", status: 500, attempt: 1, error: "HTTP status 500" },
    ]);
  });

  it("a delivery that fails too often becomes a dead letter, and a retry sends it with the same id", async () => {
    receiver.answer = () => 500;
    const { id } = await create("ada");
    await write("ada", `${folder}/a.md`);
    type Letter = { id: string; kind: string; reason: string; retryable: boolean };
    const letters = async () =>
      (await rest<{ dead_letters: Letter[] }>("ada", "GET observer/dead_letters")).dead_letters.filter(
        ({ reason }) => reason.includes(id),
      );
    await until(async () => (await letters()).length > 0);
    receiver.answer = () => 200;
    const [letter] = await letters();
    expect(letter).toMatchObject({ kind: "redeliver", retryable: true });
    expect(letter?.reason).toContain(`the last attempt (${ATTEMPTS}) failed: HTTP status 500`);
    await rest("ada", `POST observer/dead_letters/${letter?.id}/retry`);
    await receiver.until(() => receiver.received.length > ATTEMPTS);
    expect(receiver.received.at(-1)).toMatchObject({
      id: receiver.received[0]?.id,
      text: receiver.received[0]?.text,
    });
    expect(await letters()).toEqual([]);
  });

  it("a webhook is paused after three failed deliveries in a row, and continues when resumed", async () => {
    receiver.answer = () => 503;
    const { id } = await create("ada");
    for (const name of ["a", "b", "c"]) {
      const before = receiver.received.length;
      await write("ada", `${folder}/${name}.md`);
      await receiver.until(() => receiver.received.length >= before + ATTEMPTS);
    }
    await until(async () => (await get("ada", id)).state === "paused");
    expect((await get("ada", id)).pause_reason).toBe(
      "3 consecutive deliveries failed; the last error: HTTP status 503",
    );
    const before = receiver.received.length;
    await write("ada", `${folder}/d.md`);
    receiver.answer = () => 200;
    await rest("ada", `PATCH webhooks/${id}`, { paused: false });
    await receiver.until(() => receiver.received.length > before);
    expect(receiver.lines(receiver.received.slice(before))).toEqual([`added ${folder}/d.md`]);
    expect(await get("ada", id)).toMatchObject({ state: "active", failed_attempts: 0 });
  });

  it("a receiver that responds 410 pauses its webhook at once without losing the delivery", async () => {
    receiver.answer = () => 410;
    const { id } = await create("ada");
    await write("ada", `${folder}/a.md`);
    await until(async () => (await get("ada", id)).state === "paused");
    expect((await get("ada", id)).pause_reason).toBe("the receiver answered 410 Gone");
    receiver.answer = () => 200;
    await rest("ada", `PATCH webhooks/${id}`, { paused: false });
    await receiver.until(() => receiver.received.length >= 2);
    expect(receiver.received[1]?.text).toBe(receiver.received[0]?.text);
  });

  it("a redirect counts as a failed delivery and is not followed", async () => {
    receiver.answer = (_, response) => {
      response.writeHead(307, { location: `${receiver.url}/other` }).end();
      return undefined;
    };
    const { id } = await create("ada");
    await write("ada", `${folder}/a.md`);
    await until(async () => (await deliveries("ada", id)).length > 0);
    expect((await deliveries("ada", id)).at(-1)?.error).toBe("HTTP status 307; redirects are not followed");
    expect(receiver.received.every(({ path }) => path === "/hook")).toBe(true);
  });

  it("a receiver that never responds causes a timeout and delays no other webhook", async () => {
    const other = await WebhookReceiver.open();
    receiver.answer = () => undefined;
    const { id } = await create("ada");
    await create("ada", { url: other.url });
    await write("ada", `${folder}/a.md`);
    await other.until(() => other.lines().length >= 2);
    expect(await deliveries("ada", id)).toEqual([]);
    await until(async () => (await deliveries("ada", id)).length > 0);
    expect((await deliveries("ada", id))[0]?.error).toContain("did not answer within 1 s");
    await other.close();
  });

  it("an endless response of a receiver counts by its status and is not read to its end", async () => {
    receiver.answer = (_, response) => {
      response.writeHead(200);
      const more = () => {
        while (response.writable && response.write("x".repeat(65_536)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
      return undefined;
    };
    const { id } = await create("ada");
    await write("ada", `${folder}/a.md`);
    await until(async () => (await deliveries("ada", id)).length > 0);
    expect((await deliveries("ada", id))[0]).toMatchObject({ outcome: "delivered", status: 200 });
  });

  it("a webhook sends no changes of another user's space, and of a move only the visible end", async () => {
    await create("eve", { uri: "ctx://" });
    await write("bob", `ctx://user/bob/notes/${made}.md`);
    await write("eve", `ctx://user/eve/notes/mine.md`);
    await rest("bob", "POST fs/mv", {
      from_uri: `ctx://user/bob/notes/${made - 2}.md`,
      to_uri: `${folder}-moved.md`,
    });
    await receiver.until(() => receiver.lines().includes(`added ${folder}-moved.md`));
    expect(receiver.lines().filter((line) => line.includes("/bob"))).toEqual([]);
    expect(receiver.lines()).toContain("added ctx://user/eve/notes/mine.md");
  });

  it("a webhook leaves out changed content that was moved to another user's space before the delivery", async () => {
    let left = 1;
    receiver.answer = (_, response) => {
      if (left-- <= 0) return 200;
      // the read permission is revoked during the first attempt
      void rest("bob", "POST fs/mv", {
        from_uri: `${folder}/a.md`,
        to_uri: `ctx://user/bob/a-${made}.md`,
      }).then(() => response.writeHead(500).end());
      return undefined;
    };
    await write("bob", `${folder}/z.md`);
    await create("eve");
    await write("bob", `${folder}/a.md`);
    await receiver.until(() => receiver.lines().includes(`removed ${folder}/a.md`));
    expect(receiver.lines().filter((line) => line.includes("user/bob"))).toEqual([]);
  });

  it("a webhook ends with its user and is not inherited by a later user of the same name", async () => {
    await addUser("tom");
    await create("tom");
    await write("ada", `${folder}/a.md`);
    await receiver.until(() => receiver.lines().length >= 2);
    await rest("ada", "DELETE admin/accounts/acme/users/tom");
    await addUser("tom");
    const sentinel = await WebhookReceiver.open();
    await create("ada", { url: sentinel.url });
    await write("ada", `${folder}/b.md`);
    await sentinel.until(() => sentinel.lines().length >= 1);
    expect(receiver.lines()).not.toContain(`added ${folder}/b.md`);
    expect(await rest("tom", "GET webhooks")).toEqual([]);
    await sentinel.close();
  });

  it("replacing a user's key does not end the webhooks of the user", async () => {
    await create("bob");
    keys.bob = (await rest<{ user_key: string }>("ada", "POST admin/accounts/acme/users/bob/key")).user_key;
    await write("ada", `${folder}/a.md`);
    await receiver.until(() => receiver.lines().length >= 2);
    expect((await rest<Hook[]>("bob", "GET webhooks")).length).toBe(1);
  });

  it("a webhook of another user looks like a missing one, even to administrators", async () => {
    const { id } = await create("bob");
    for (const user of ["eve", "ada"]) {
      const calls: [string, object?][] = [
        [`GET webhooks/${id}`],
        [`GET webhooks/${id}/deliveries`],
        [`PATCH webhooks/${id}`, { paused: true }],
        [`POST webhooks/${id}/secret`, {}],
        [`POST webhooks/${id}/test`, {}],
        [`DELETE webhooks/${id}`],
      ];
      for (const [call, body] of calls)
        expect([call, (await ask(user, call, body)).error?.code]).toEqual([call, "NOT_FOUND"]);
      expect(await rest(user, "GET webhooks")).toEqual([]);
    }
    expect(await get("bob", id)).toMatchObject({ state: "active" });
  });

  it("a webhook test sends one signed message and returns its outcome", async () => {
    const { id, secret } = await create("ada");
    await rest("ada", `PATCH webhooks/${id}`, { paused: true });
    const sent = await rest("ada", `POST webhooks/${id}/test`, {});
    expect(sent).toMatchObject({ type: "test", outcome: "delivered", status: 204, attempt: 1 });
    const [message] = receiver.received;
    expect(message?.body).toMatchObject({ type: "test", webhook_id: id, data: {} });
    expect(message?.signature).toBe(signatureOf(secret, message!));
    receiver.answer = () => 400;
    expect(await rest("ada", `POST webhooks/${id}/test`, {})).toMatchObject({
      outcome: "failed",
      status: 400,
    });
  });

  it("a user can have at most 16 webhooks, and deleting one makes room", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 16; i++) ids.push((await create("bob")).id);
    const more = { url: receiver.url, uri: folder };
    expect((await ask("bob", "POST webhooks", more)).error?.code).toBe("RESOURCE_EXHAUSTED");
    await rest("bob", `DELETE webhooks/${ids[0]}`);
    expect((await ask("bob", "POST webhooks", more)).error).toBeUndefined();
  });

  it("invalid arguments of a webhook are refused with the name of the field", async () => {
    const refusal = async (body: object) => (await ask("bob", "POST webhooks", body)).error;
    const url = receiver.url;
    expect(await refusal({ url: "ftp://example.com" })).toMatchObject({ details: { field: "url" } });
    expect(await refusal({ url: "http://user:pass@127.0.0.1/" })).toMatchObject({
      details: { field: "url" },
    });
    expect(await refusal({ url, kinds: ["renamed"] })).toMatchObject({ details: { field: "kinds" } });
    expect(await refusal({ url, uri: "ctx://user/eve/notes" })).toMatchObject({ code: "NOT_FOUND" });
    expect(await refusal({ url, description: "x".repeat(257) })).toMatchObject({
      details: { field: "description" },
    });
    expect(await refusal({ url: "http://169.254.169.254/" })).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  it("changes whose delivery a restart interrupted are delivered after the restart", async () => {
    receiver.answer = () => 500;
    const { id } = await create("ada");
    await write("ada", `${folder}/a.md`);
    await receiver.until(() => receiver.received.length >= 1);
    const [first] = receiver.received;
    await served.restart(async () => {
      receiver.answer = () => 200;
    });
    await until(async () => (await deliveries("ada", id)).some(({ outcome }) => outcome !== "failed"));
    await write("ada", `${folder}/b.md`);
    await receiver.until(() => receiver.lines().includes(`added ${folder}/b.md`));
    expect(receiver.received[1]?.id).toBe(first?.id);
  });

  it("metrics count webhooks by state and deliveries by outcome", async () => {
    await create("ada");
    await write("ada", `${folder}/a.md`);
    await receiver.until(() => receiver.lines().length >= 2);
    const text = await (
      await fetch(`http://127.0.0.1:${served.port}/metrics`, { headers: { "x-api-key": ROOT_KEY } })
    ).text();
    expect(text).toMatch(/ctxdb_webhooks\{state="active"\} 1/);
    expect(text).toMatch(/ctxdb_webhook_deliveries_total\{outcome="delivered"\} \d/);
  });
});
