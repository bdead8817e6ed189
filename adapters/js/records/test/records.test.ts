import type { Client } from "@ctxdb/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Log, remember, sessionName } from "../src/index.ts";
import { newUser } from "./server.ts";

let client: Client;
beforeEach(() => {
  client = newUser();
});
afterEach(() => client.close());

const folderOf = async (name: string): Promise<string> =>
  `ctx://agent/records/${(await client.system.status()).user}/${name}`;

test("a log gives its last values in the order in which they were appended, across windows", async () => {
  const log = new Log(client, await folderOf("order"));
  const values = Array.from({ length: 70 }, (_, number) => ({ number, text: "\ud800 漢 \0" }));
  for (let at = 0; at < values.length; at += 2) await log.append(values.slice(at, at + 2));
  expect(await log.latest()).toEqual(values);
  expect(await log.latest(67)).toEqual(values.slice(-67));
  expect(await log.latest(0)).toEqual([]);
  expect(await log.pop()).toEqual(values.at(-1));
  await log.append([]);
  expect(await log.latest(1)).toEqual([values.at(-2)]);
  await log.clear();
  expect([await log.pop(), await log.latest()]).toEqual([undefined, []]);
});

test("a log of the same folder continues in another process where this one ended", async () => {
  const folder = await folderOf("shared");
  await new Log(client, folder).append([1]);
  await new Log(client, folder).append([2, 3]);
  expect(await new Log(client, folder).latest()).toEqual([1, 2, 3]);
});

test("a message is remembered once unless its mark differs", async () => {
  const session = sessionName("test", "a/b 漢");
  const said = { role: "user", text: "I prefer green tea." };
  expect(await remember(client, session, [said, { role: "system", text: "Be kind." }])).toBeGreaterThan(0);
  expect(await remember(client, session, [said])).toBe(0);
});
