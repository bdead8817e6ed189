import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

const REVISION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientCapabilities": {},
};

interface Answer {
  readonly id: unknown;
  readonly result?: object;
  readonly error?: { readonly code: number };
}

let server: Served;
let client: Client;

/** One message as it goes over the wire. */
async function post(
  method: string,
  params: object = {},
  headers: Record<string, string> = { "Mcp-Method": method, "MCP-Protocol-Version": REVISION },
) {
  const answer = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
    method: "POST",
    headers: {
      "X-API-Key": ROOT_KEY,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { _meta: META, ...params } }),
  });
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    json: (await answer.json()) as Answer,
  };
}

beforeAll(async () => {
  server = await serve();
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${server.port}/mcp`), {
    requestInit: { headers: { "X-API-Key": ROOT_KEY } },
  });
  client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: REVISION } } });
  await client.connect(transport);
});

afterAll(async () => {
  await client.close();
  await server.close();
});

describe(`MCP ${REVISION}`, () => {
  it("the official MCP client calls tools without a handshake", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["find", "read", "remember"]));
    const text = "Green tea is brewed at 80 degrees.";
    const added = await client.callTool({
      name: "write",
      arguments: { uri: "ctx://resources/tea.md", content: text },
    });
    expect(added.isError).not.toBe(true);
    const read = await client.callTool({ name: "read", arguments: { uri: "ctx://resources/tea.md" } });
    expect(JSON.stringify(read.content)).toContain(text);
    const resource = await client.readResource({ uri: "ctx://resources/tea.md" });
    expect(JSON.stringify(resource.contents)).toContain(text);
    await expect(client.readResource({ uri: "ctx://resources/nothing" })).rejects.toMatchObject({
      code: -32_602,
    });
  });

  it("MCP server/discover returns versions, capabilities and instructions", async () => {
    const { status, type, json } = await post("server/discover");
    expect([status, type]).toEqual([200, "application/json"]);
    expect(json.result).toMatchObject({
      supportedVersions: expect.arrayContaining([REVISION]),
      capabilities: { tools: {}, resources: {} },
      instructions: expect.stringContaining("ctxdb keeps"),
    });
  });

  it("MCP lists state for how long and by whom they may be cached", async () => {
    expect((await post("tools/list")).json.result).toMatchObject({
      resultType: "complete",
      ttlMs: 300_000,
      cacheScope: "public",
    });
    expect((await post("resources/list")).json.result).toMatchObject({ ttlMs: 0, cacheScope: "private" });
  });

  it("MCP refuses missing or contradictory headers and other revisions", async () => {
    const call = { name: "find", arguments: { query: "tea" } };
    const version = { "MCP-Protocol-Version": REVISION };
    for (const headers of [
      { ...version },
      { ...version, "Mcp-Method": "tools/list" },
      { ...version, "Mcp-Method": "tools/call" },
      { ...version, "Mcp-Method": "tools/call", "Mcp-Name": "read" },
      { "MCP-Protocol-Version": "2025-11-25", "Mcp-Method": "tools/call", "Mcp-Name": "find" },
    ])
      expect([headers, await post("tools/call", call, headers)]).toMatchObject([
        headers,
        { status: 400, json: { error: { code: -32_020 } } },
      ]);
    const meta = { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    expect(
      await post(
        "tools/list",
        { _meta: meta },
        { "Mcp-Method": "tools/list", "MCP-Protocol-Version": "2099-01-01" },
      ),
    ).toMatchObject({
      status: 400,
      json: { error: { data: { supported: expect.arrayContaining([REVISION]) } } },
    });
  });

  it("MCP refuses a message with more values than any tool takes before a library validates it", async () => {
    const completion = (context: object) =>
      post("completion/complete", {
        ref: { type: "ref/resource", uri: "ctx://{+path}" },
        argument: { name: "path", value: "resources/" },
        context,
      });
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, "x"]));
    expect(await completion({ arguments: many(1000) })).toMatchObject({ status: 200 });
    expect(await completion({ arguments: many(2500) })).toMatchObject({
      status: 400,
      json: { error: { data: { code: "INVALID_ARGUMENT", details: { field: "body" } } } },
    });
  });

  it("MCP without a key is refused with the URL of the metadata about the token", async () => {
    const url = `http://127.0.0.1:${server.port}`;
    const refused = await fetch(`${url}/mcp`, { method: "POST", body: "{}" });
    expect(refused.status).toBe(401);
    const where = `${url}/.well-known/oauth-protected-resource/mcp`;
    expect(refused.headers.get("www-authenticate")).toBe(
      `Bearer realm="ctxdb", resource_metadata="${where}"`,
    );
    expect(await (await fetch(where)).json()).toEqual({
      resource: `${url}/mcp`,
      resource_name: "ctxdb",
      bearer_methods_supported: ["header"],
    });
  });
});
