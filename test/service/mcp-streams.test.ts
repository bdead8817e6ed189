import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { PassThrough } from "node:stream";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { ResourceListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { bridgeMcp } from "../../src/cli/mcp/bridge.ts";
import { type McpSession, mcpOver, mcpSession } from "../support/mcp.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

const REVISION = "2026-07-28";
const WHO = { "X-API-Key": ROOT_KEY };

let server: Served;
let site: Server;
/** Import requests that wait until the test lets them continue. */
const held: ServerResponse[] = [];
const release = () => {
  for (const response of held.splice(0)) response.end("\nThe harbour opens at six.\n");
};

beforeAll(async () => {
  server = await serve({ CTXDB_URL_ALLOW_PRIVATE: "true" });
  site = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/markdown" });
    response.write("# Guide\n");
    held.push(response);
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
});
afterEach(release);
afterAll(async () => {
  await server.close();
  site.close();
});

const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 30_000, interval: 100 });

const url = () => new URL(`http://127.0.0.1:${server.port}/mcp`);
const slowFile = (name: string) => `http://127.0.0.1:${(site.address() as AddressInfo).port}/${name}.md`;

async function modern(): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: { pin: REVISION } } },
  );
  await client.connect(new StreamableHTTPClientTransport(url(), { requestInit: { headers: WHO } }));
  return client;
}

/** The official client for earlier protocol revisions, over HTTP or the bridge. */
async function earlier(wire: "HTTP" | "the bridge"): Promise<McpSession> {
  if (wire === "HTTP") return mcpOver(server.port, WHO);
  const [input, out] = [new PassThrough(), new PassThrough()];
  const target = { address: `http://127.0.0.1:${server.port}`, key: ROOT_KEY };
  const ended = bridgeMcp(target, { in: input, out, note: () => undefined });
  const session = await mcpSession(new StdioServerTransport(out, input));
  const close = session.client.close.bind(session.client);
  session.client.close = async () => {
    await close();
    input.end();
    await ended;
  };
  return session;
}

/** Returns the reported progress of an import, which continues once a report says that it is fetching. */
function reports() {
  const messages: string[] = [];
  const seconds: number[] = [];
  const onprogress = ({ progress, message = "" }: { progress: number; message?: string }) => {
    messages.push(message);
    seconds.push(progress);
    if (message.startsWith("fetching")) release();
  };
  return { messages, seconds, onprogress };
}

const WIRES = ["HTTP", "the bridge"] as const;

describe("progress of MCP calls", () => {
  it.each(WIRES)("a long MCP call of an earlier revision reports its progress over %s", async (wire) => {
    const { client } = await earlier(wire);
    const { messages, seconds, onprogress } = reports();
    const args = { path: slowFile(wire === "HTTP" ? "one" : "two"), wait_seconds: 45 };
    const answer = await client.callTool({ name: "add_resource", arguments: args }, undefined, {
      onprogress,
    });
    expect(answer.structuredContent).toMatchObject({ status: "success", errors: [] });
    expect(messages.some((message) => message.startsWith("fetching"))).toBe(true);
    expect(seconds).toEqual([...new Set(seconds)].sort((a, b) => a - b));
    await client.close();
  });

  it(`a long call of MCP revision ${REVISION} reports its progress`, async () => {
    const client = await modern();
    const { messages, onprogress } = reports();
    const args = { path: slowFile("three"), wait_seconds: 45 };
    const answer = await client.callTool({ name: "add_resource", arguments: args }, { onprogress });
    expect(answer.structuredContent).toMatchObject({ status: "success", errors: [] });
    expect(messages.some((message) => message.startsWith("fetching"))).toBe(true);
    await client.close();
  });
});

describe("cancelled MCP calls", () => {
  const post = (body: object, headers: Record<string, string> = {}) =>
    fetch(url(), {
      method: "POST",
      headers: {
        ...WHO,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...body }),
    });
  const begin = async (): Promise<string> => {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    };
    const answer = await post({ id: 0, method: "initialize", params });
    await answer.text();
    return answer.headers.get("mcp-session-id") ?? "";
  };

  it("a cancellation ends a waiting call of the same MCP session, but not of another session", async () => {
    await server.rest(ROOT_KEY, "POST resources", { path: slowFile("four") });
    const [mine, other] = [await begin(), await begin()];
    expect(mine).not.toBe(other);
    const params = { name: "tasks", arguments: { wait_seconds: 45 } };
    let isAnswered = false;
    const waiting = post({ id: 7, method: "tools/call", params }, { "Mcp-Session-Id": mine }).then(
      async (answer) => {
        isAnswered = true;
        return answer.text();
      },
    );
    const cancelled = { method: "notifications/cancelled", params: { requestId: 7 } };
    expect((await post(cancelled, { "Mcp-Session-Id": other })).status).toBe(202);
    expect((await post(cancelled)).status).toBe(202);
    expect(isAnswered).toBe(false);
    await eventually(async () => {
      await post(cancelled, { "Mcp-Session-Id": mine });
      expect(isAnswered).toBe(true);
    });
    expect(await waiting).toContain("the client has cancelled the request");
  });
});

describe("notices of changed resources", () => {
  it.each(WIRES)(
    "an MCP client of an earlier revision is notified over %s of a new resource",
    async (wire) => {
      const { client, tool } = await earlier(wire);
      expect(client.getServerCapabilities()?.resources).toEqual({ listChanged: true });
      let isHeard = false;
      client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
        isHeard = true;
      });
      let made = 0;
      // the stream opens after the handshake, unknown to the caller
      await eventually(async () => {
        await tool("mkdir", { uri: `ctx://resources/${wire === "HTTP" ? "http" : "bridge"}-${made++}` });
        expect(isHeard).toBe(true);
      });
      await client.close();
    },
  );

  it(`an MCP client of ${REVISION} is notified only of the resources that it names`, async () => {
    const client = await modern();
    const updated: string[] = [];
    let lists = 0;
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      updated.push(params.uri);
    });
    client.setNotificationHandler("notifications/resources/list_changed", () => {
      lists++;
    });
    const write = (uri: string, content: string) =>
      client.callTool({ name: "write", arguments: { uri, content, mode: "create" } });
    await write("ctx://resources/plans/a.md", "first");
    const subscription = await client.listen({
      resourcesListChanged: true,
      toolsListChanged: true,
      resourceSubscriptions: ["ctx://resources/plans/a.md", "ctx://resources/plans/"],
    });
    expect(subscription.honoredFilter).toEqual({
      resourcesListChanged: true,
      resourceSubscriptions: ["ctx://resources/plans/a.md", "ctx://resources/plans/"],
    });
    const again = { uri: "ctx://resources/plans/a.md", content: "second", mode: "replace" };
    await client.callTool({ name: "write", arguments: again });
    await eventually(() => expect(updated).toContain("ctx://resources/plans/a.md"));
    expect(updated).toContain("ctx://resources/plans/");
    await write("ctx://resources/elsewhere/b.md", "other");
    await eventually(() => expect(lists).toBeGreaterThan(0));
    expect(updated.filter((uri) => !uri.startsWith("ctx://resources/plans"))).toEqual([]);
    await subscription.close();
    await client.close();
  });

  it("an MCP stream reports no changes of another account, and ends when its caller loses access", async () => {
    const { result } = await server.rest(ROOT_KEY, "POST admin/accounts", {
      account_id: "acme",
      admin_user_id: "ann",
    });
    const { user_key: key } = result as { user_key: string };
    const answer = await fetch(url(), { headers: { "X-API-Key": key, Accept: "text/event-stream" } });
    expect(answer.status).toBe(200);
    let heard = "";
    const ended = (async () => {
      for await (const piece of answer.body ?? []) heard += Buffer.from(piece).toString();
    })();
    await eventually(() => expect(heard).not.toBe(""));
    await server.rest(ROOT_KEY, "POST fs/mkdir", { uri: "ctx://resources/of-the-default-account" });
    await server.rest(ROOT_KEY, "POST fs/mkdir", { uri: "ctx://resources/later-of-the-default-account" });
    expect(heard).not.toContain("list_changed");
    await server.rest(key, "POST fs/mkdir", { uri: "ctx://resources/of-acme" });
    await eventually(() => expect(heard).toContain("list_changed"));
    await server.rest(ROOT_KEY, "DELETE admin/accounts/acme");
    await ended.catch(() => undefined);
    expect(heard.split("list_changed")).toHaveLength(2);
  });

  it("MCP refuses a subscription to more resources than a stream can watch", async () => {
    const client = await modern();
    const resourceSubscriptions = Array.from({ length: 101 }, (_, i) => `ctx://resources/${i}`);
    await expect(client.listen({ resourceSubscriptions })).rejects.toThrow();
    const long = [`ctx://resources/${"x".repeat(5000)}`];
    await expect(client.listen({ resourceSubscriptions: long })).rejects.toThrow();
    await client.close();
  });

  it("the slots of MCP streams are free again after their clients have left, with or without a message", async () => {
    for (let round = 0; round < 3; round++) {
      const sockets = await Promise.all(Array.from({ length: 20 }, openStream));
      // a client that reads nothing and disconnects without notice
      for (const socket of sockets) socket.resetAndDestroy();
    }
    await eventually(async () => {
      const client = await modern();
      await (await client.listen({ resourcesListChanged: true })).close();
      await client.close();
    });
  });
});

/** A stream of notifications of which the client reads only the header. */
async function openStream() {
  const socket = connect(server.port, "127.0.0.1");
  socket.write(
    `GET /mcp HTTP/1.1\r\nHost: localhost:${server.port}\r\nX-API-Key: ${ROOT_KEY}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  const [head] = await once(socket, "data");
  socket.pause();
  expect(String(head)).toMatch(/^HTTP\/1\.1 (200|429)/);
  return socket;
}
