import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TYPESCRIPT_LOADER } from "../../src/base/processes/child-process.ts";
import { bridgeMcp } from "../../src/cli/mcp/bridge.ts";
import type { Profile } from "../../src/cli/profiles.ts";
import { mcpSession } from "../support/mcp.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

let server: Served;
beforeAll(async () => {
  server = await serve();
  await server.rest(ROOT_KEY, "POST admin/accounts", { account_id: "acme", admin_user_id: "ann" });
});
afterAll(() => server.close());

/** A bridge and its connection to the agent. */
function bridge(target: Profile) {
  const [input, out] = [new PassThrough(), new PassThrough()];
  const notes: string[] = [];
  const ended = bridgeMcp(target, { in: input, out, note: (line) => notes.push(line) });
  return { input, out, notes, ended, transport: new StdioServerTransport(out, input) };
}

const here = (): Profile => ({
  address: `http://127.0.0.1:${server.port}`,
  key: ROOT_KEY,
  agent: "coder",
  account: "acme",
  user: "ann",
});

const firstLine = (out: PassThrough): Promise<unknown> =>
  new Promise((resolve) => out.once("data", (chunk: Buffer) => resolve(JSON.parse(chunk.toString()))));

describe("ctxdb mcp", () => {
  it("the official client starts ctxdb mcp, which finds the server by variables or options", async () => {
    const { address, key } = here();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        ...TYPESCRIPT_LOADER,
        fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url)),
        "mcp",
        "--account",
        "acme",
        "--user",
        "ann",
      ],
      env: {
        ...getDefaultEnvironment(),
        CTXDB_ADDRESS: address,
        CTXDB_API_KEY: key ?? "",
        CTXDB_AGENT: "coder",
      },
    });
    const { client, tool } = await mcpSession(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("find");
    const kept = await tool("remember", {
      messages: [{ content: "I prefer oolong in the morning." }],
      session_id: "tuesday",
    });
    expect(kept.text).toContain("session tuesday");
    expect((await tool("recall", { query: "which tea in the morning?" })).text).toContain("oolong");
    await client.close();
  });
});

describe("MCP on stdin and stdout", () => {
  it("the MCP bridge connects a session of the official client to a server, as the given caller", async () => {
    const { input, transport, ended, notes } = bridge(here());
    const { client, tool } = await mcpSession(transport);
    expect((await tool("status")).text).toMatch(/^account acme, user ann, role root/);
    await tool("add_resource", {
      content: "# Rooms\n\nThe blue room seats twelve.\n",
      name: "rooms.md",
      wait_seconds: 45,
    });
    expect((await tool("find", { query: "how many people fit into the blue room?" })).text).toContain(
      "seats twelve",
    );
    expect(await tool("read", { uri: "ctx://resources/none" })).toEqual({
      isError: true,
      text: expect.stringMatching(/^NOT_FOUND/),
    });
    await expect(client.callTool({ name: "none" })).rejects.toMatchObject({ code: -32_602 });
    const { contents } = await client.readResource({ uri: "ctx://resources/rooms" });
    expect(contents[0]).toMatchObject({ mimeType: "text/markdown" });
    input.end();
    await ended;
    expect(notes).toEqual([]);
  });

  it("the MCP bridge answers requests that arrived before its input ended", async () => {
    const { input, out, ended } = bridge(here());
    const answer = firstLine(out);
    input.end(`${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping" })}\n`);
    await ended;
    expect(await answer).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
  });

  it("the MCP bridge passes on messages without a handshake, with the headers they need", async () => {
    const { input, out, ended } = bridge(here());
    const answer = firstLine(out);
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { _meta: meta, uri: "ctx://resources/grüner Tee.md" };
    input.end(`${JSON.stringify({ jsonrpc: "2.0", id: 8, method: "resources/read", params })}\n`);
    await ended;
    expect(await answer).toMatchObject({ id: 8, error: { code: -32_602, data: { uri: params.uri } } });
  });

  it("the MCP bridge reports why there is no answer: a wrong key, no server or another server", async () => {
    await expect(mcpSession(bridge({ ...here(), key: "wrong" }).transport)).rejects.toThrow(
      "UNAUTHENTICATED: the API key is not valid",
    );
    const gone = await serve();
    const address = `http://127.0.0.1:${gone.port}`;
    await gone.close();
    await expect(mcpSession(bridge({ address }).transport)).rejects.toThrow(
      `no answer from ${address} (ECONNREFUSED): is the server running there?`,
    );
    const stranger = createServer((_, response) => response.writeHead(404).end("<h1>not here</h1>")).listen(
      0,
      "127.0.0.1",
    );
    await once(stranger, "listening");
    const elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    await expect(mcpSession(bridge({ address: elsewhere }).transport)).rejects.toThrow(
      "answered with HTTP status 404: it does not seem to be a ctxdb server",
    );
    stranger.close();
  });

  it("the MCP bridge ends a request that the agent cancels", async () => {
    const { input, out, ended } = bridge(here());
    const session = await mcpSession(new StdioServerTransport(out, input));
    const stop = new AbortController();
    const waiting = session.client.callTool({ name: "tasks", arguments: { wait_seconds: 45 } }, undefined, {
      signal: stop.signal,
    });
    stop.abort("enough");
    await expect(waiting).rejects.toThrow("enough");
    expect((await session.tool("status")).isError).toBe(false);
    input.end();
    await ended;
  });

  it("the MCP bridge continues after a line that is not a message", async () => {
    const { input, out, ended, notes } = bridge(here());
    const answer = firstLine(out);
    input.write("no message\n");
    input.end(`${JSON.stringify({ jsonrpc: "2.0", id: 8, method: "ping" })}\n`);
    await ended;
    expect(await answer).toMatchObject({ id: 8 });
    expect(notes).toEqual([expect.stringMatching(/^cannot read a message/)]);
  });
});
