import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHANGE_WIRES, Watcher, type WatchRequest } from "../support/change-watcher.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

const STRUCTURE = ["added", "changed", "moved", "removed"];
/** Number of concurrent streams of one user. */
const MAX_OF_USER = 32;
/** Number of changes in the short form of the reconnect test. */
const MANY = 60;

describe("ChangeService", () => {
  let served: Served;
  const keys: Record<string, string> = {};
  const rest = async (user: string, call: string, body?: object) => {
    const answer = await served.rest(keys[user] ?? "", call, body);
    if (answer.error) throw new Error(`${answer.error.code}: ${answer.error.message}`);
    return answer.result as Record<string, unknown>;
  };
  const create = (user: string, uri: string) =>
    rest(user, "POST content/write", { uri, content: "text", mode: "create" });
  const move = (user: string, from_uri: string, to_uri: string) =>
    rest(user, "POST fs/mv", { from_uri, to_uri });
  const remove = (user: string, uri: string) =>
    rest(user, `DELETE fs?recursive=true&uri=${encodeURIComponent(uri)}`);
  const list = (user: string, query: Record<string, string>) =>
    rest(user, `GET changes/list?${new URLSearchParams(query)}`) as Promise<{
      readonly changes: { readonly kind: string; readonly uri: string; readonly user?: string }[];
      readonly cursor: string;
      readonly has_more: boolean;
    }>;
  const addUser = async (user: string): Promise<void> => {
    const { user_key } = await rest("ada", "POST admin/accounts/acme/users", { user_id: user });
    keys[user] = String(user_key);
  };

  beforeAll(async () => {
    served = await serve({ CTXDB_CHANGES_HEARTBEAT_SECONDS: "1" });
    const made = await served.rest(ROOT_KEY, "POST admin/accounts", {
      account_id: "acme",
      admin_user_id: "ada",
    });
    keys.ada = (made.result as { user_key: string }).user_key;
    for (const user of ["bob", "eve"]) await addUser(user);
  });
  afterAll(() => served.close());

  describe.each(CHANGE_WIRES)("WatchChanges over %s", (wire, open) => {
    const folder = `ctx://resources/${wire.replaceAll(/\W/g, "-")}`;
    const watch = (user: string, request: WatchRequest = {}) =>
      new Watcher(
        open,
        `http://127.0.0.1:${served.port}`,
        { kinds: STRUCTURE, ...request },
        keys[user] ? { "x-api-key": keys[user] } : {},
      );
    /** A stream that has begun. */
    const begun = async (user: string, request: WatchRequest = {}): Promise<Watcher> => {
      const watcher = watch(user, request);
      expect(await watcher.next()).toMatchObject({ event: "start" });
      return watcher;
    };

    it("a stream sends writes, moves and removals below a directory in order", async () => {
      const watcher = await begun("ada", { uri: `${folder}/docs` });
      await create("bob", `${folder}/docs/a.md`);
      await create("bob", `${folder}/other.md`);
      await rest("ada", "POST content/write", {
        uri: `${folder}/docs/a.md`,
        content: "two",
        mode: "replace",
      });
      await move("ada", `${folder}/docs/a.md`, `${folder}/docs/b.md`);
      await move("ada", `${folder}/docs/b.md`, `${folder}/b.md`);
      await move("ada", `${folder}/b.md`, `${folder}/docs/c.md`);
      await remove("ada", `${folder}/docs`);
      expect(await watcher.changes(8)).toEqual([
        `added ${folder}`,
        `added ${folder}/docs`,
        `added ${folder}/docs/a.md`,
        `changed ${folder}/docs/a.md`,
        `moved ${folder}/docs/a.md ${folder}/docs/b.md`,
        `removed ${folder}/docs/b.md`,
        `added ${folder}/docs/c.md`,
        `removed ${folder}/docs`,
      ]);
      await watcher.leave();
    });

    it("a stream reports the new descriptions of a file and its directory after their layers are made", async () => {
      const watcher = await begun("ada", { uri: `${folder}/read`, kinds: ["described"] });
      await create("ada", `${folder}/read/me.md`);
      expect(await watcher.changes(2)).toEqual([
        `described ${folder}/read/me.md`,
        `described ${folder}/read`,
      ]);
      await watcher.leave();
    });

    it("a stream shows others only the visible end of a move out of a private space or into it", async () => {
      const shared = `${folder}/shared.md`;
      await create("bob", `ctx://user/bob/made-${wire.length}.md`);
      const [bob, eve] = [await begun("bob"), await begun("eve")];
      await create("bob", `ctx://user/bob/${wire.length}.md`);
      await move("bob", `ctx://user/bob/${wire.length}.md`, shared);
      await move("bob", shared, `ctx://user/bob/${wire.length}.md`);
      await remove("bob", `ctx://user/bob/${wire.length}.md`);
      await create("eve", `ctx://user/eve/${wire.length}.md`);
      expect(await bob.changes(4)).toEqual([
        `added ctx://user/bob/${wire.length}.md`,
        `moved ctx://user/bob/${wire.length}.md ${shared}`,
        `moved ${shared} ctx://user/bob/${wire.length}.md`,
        `removed ctx://user/bob/${wire.length}.md`,
      ]);
      const own = (line: string) => line.includes(folder) || line.endsWith(`/${wire.length}.md`);
      expect((await eve.changes(3)).filter(own)).toEqual(
        expect.arrayContaining([`added ${shared}`, `removed ${shared}`]),
      );
      await bob.leave();
      await eve.leave();
    });

    it("a stream that is resumed by cursor three times sends each change once and in order", async () => {
      const uris = Array.from({ length: MANY }, (_, i) => `${folder}/many/${i}.md`);
      let watcher = await begun("eve", { uri: `${folder}/many` });
      const written = (async () => {
        for (const uri of uris) await create("bob", uri);
      })();
      const seen = await watcher.changes(1);
      for (const upTo of [10, 30, 50, MANY + 1]) {
        seen.push(...(await watcher.changes(upTo - seen.length)));
        await watcher.leave();
        watcher = watch("eve", { uri: `${folder}/many`, cursor: watcher.cursor });
      }
      await written;
      await watcher.leave();
      expect(seen).toEqual([`added ${folder}/many`, ...uris.map((uri) => `added ${uri}`)]);
    });

    it("a stream begins with the oldest stored change on request", async () => {
      const watcher = await begun("ada", { begin: "oldest" });
      expect((await watcher.changes(2))[1]).toMatch(/^added ctx:\/\/resources\//);
      await watcher.leave();
    });

    it("a stream sends a heartbeat with a cursor if there are no changes", async () => {
      const watcher = await begun("ada", { uri: `${folder}/quiet` });
      expect(await watcher.next()).toMatchObject({ event: "heartbeat" });
      const { cursor } = watcher;
      await watcher.leave();
      await create("ada", `${folder}/quiet/a.md`);
      const again = watch("ada", { uri: `${folder}/quiet`, cursor });
      expect(await again.changes(1)).toEqual([`added ${folder}/quiet`]);
      await again.leave();
    });

    it("a stream with invalid arguments is refused with the matching error code", async () => {
      const { cursor } = await begun("bob");
      await expect(watch("nobody").failure()).resolves.toBe("UNAUTHENTICATED");
      await expect(watch("ada", { kinds: ["renamed"] }).failure()).resolves.toBe("INVALID_ARGUMENT");
      await expect(watch("ada", { begin: "yesterday" }).failure()).resolves.toBe("INVALID_ARGUMENT");
      await expect(watch("ada", { cursor: "forged" }).failure()).resolves.toBe("INVALID_ARGUMENT");
      await expect(watch("eve", { cursor }).failure()).resolves.toBe("INVALID_ARGUMENT");
      await expect(watch("ada", { uri: "nothing" }).failure()).resolves.toBe("INVALID_URI");
      await expect(watch("eve", { uri: "ctx://user/bob/a" }).failure()).resolves.toBe("NOT_FOUND");
    });

    it("a user has a limited number of streams, and closing one makes room for another", async () => {
      await addUser(`many${wire.length}`);
      const user = `many${wire.length}`;
      const watchers: Watcher[] = [];
      for (let i = 0; i < MAX_OF_USER; i++) watchers.push(await begun(user));
      await expect(watch(user).failure()).resolves.toBe("RESOURCE_EXHAUSTED");
      for (const watcher of watchers) await watcher.leave();
      await expect.poll(() => begun(user).then((again) => again.leave())).toBeUndefined();
    });

    it("a stream ends when the key of its user is replaced and when the user is removed", async () => {
      const user = `gone${wire.length}`;
      await addUser(user);
      const [old, watcher] = [await begun(user), await begun(user)];
      const { user_key } = await rest("ada", `POST admin/accounts/acme/users/${user}/key`);
      await expect(old.failure()).resolves.toBe("UNAUTHENTICATED");
      await expect(watcher.failure()).resolves.toBe("UNAUTHENTICATED");
      keys[user] = String(user_key);
      const renewed = await begun(user, { cursor: old.cursor });
      await rest("ada", `DELETE admin/accounts/acme/users/${user}`);
      await expect(renewed.failure()).resolves.toBe("UNAUTHENTICATED");
    });

    it("a stream ends with UNAVAILABLE when the server stops, and can be resumed after the restart", async () => {
      const watcher = await begun("ada", { uri: `${folder}/restart` });
      const ended = watcher.failure();
      await served.restart();
      await expect(ended).resolves.toBe("UNAVAILABLE");
      await create("ada", `${folder}/restart/a.md`);
      const again = watch("ada", { uri: `${folder}/restart`, cursor: watcher.cursor });
      expect(await again.changes(2)).toEqual([`added ${folder}/restart`, `added ${folder}/restart/a.md`]);
      await again.leave();
    });
  });

  it("a stream opened before its account is first written sends the first change", async () => {
    keys.root = ROOT_KEY;
    const [, open] = CHANGE_WIRES[0]!;
    const watcher = new Watcher(open, `http://127.0.0.1:${served.port}`, {}, { "x-api-key": ROOT_KEY });
    await watcher.next();
    await create("root", "ctx://resources/first.md");
    expect(await watcher.changes(1)).toEqual(["added ctx://resources/first.md"]);
    await watcher.leave();
  });

  it("a page of changes has a cursor that continues with later changes", async () => {
    const uri = "ctx://resources/listed";
    const { cursor, changes } = await list("bob", { begin: "now" });
    expect(changes).toEqual([]);
    for (const name of ["a", "b", "c"]) await create("ada", `${uri}/${name}.md`);
    const about = { uri, limit: "2" };
    const first = await list("bob", { ...about, cursor, kinds: "added" });
    expect(first).toMatchObject({ changes: [{ uri }, { uri: `${uri}/a.md`, user: "ada" }], has_more: true });
    const second = await list("bob", { ...about, cursor: first.cursor, kinds: "added" });
    expect(second).toMatchObject({
      changes: [{ uri: `${uri}/b.md` }, { uri: `${uri}/c.md` }],
      has_more: false,
    });
    await remove("bob", `${uri}/b.md`);
    const third = await list("bob", { ...about, cursor: second.cursor, kinds: "removed" });
    expect(third).toMatchObject({ changes: [{ kind: "removed", uri: `${uri}/b.md`, user: "bob" }] });
    await expect(list("bob", { limit: "1001" })).rejects.toThrow("INVALID_ARGUMENT");
  });

  it("the length of a cursor does not reveal how much has changed", async () => {
    const before = await list("eve", { begin: "now" });
    for (let i = 0; i < 40; i++) await create("bob", `ctx://user/bob/secret/${i}.md`);
    const after = await list("eve", { uri: "ctx://user", cursor: before.cursor });
    expect(after).toMatchObject({ changes: [], has_more: false });
    expect(after.cursor.length).toBe(before.cursor.length);
    expect(after.cursor).not.toBe(before.cursor);
    expect((await list("eve", { begin: "oldest", limit: "1000" })).cursor.length).toBe(before.cursor.length);
  });
});
