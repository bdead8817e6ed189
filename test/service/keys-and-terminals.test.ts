import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { gatewayFault } from "../../src/cli/connect/gateway-probe.ts";
import { Link } from "../../src/cli/mcp/server-link.ts";
import { ctxdb } from "../support/command-line.ts";
import { type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Writes the clipboard, and clears the screen with a character of eight bits. */
const HOSTILE = "owl \u001b]52;c;b3ds\u001b\\ \u009b2J tower";
const URI = "ctx://resources/owl.md";

describe("stored text on a terminal", () => {
  let server: Served;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = await temporaryFolder();
    server = await serve({ CTXDB_ROOT_API_KEY: undefined });
    env = { CTXDB_ADDRESS: `127.0.0.1:${server.port}`, XDG_CONFIG_HOME: folder.path, NO_COLOR: "1" };
    await done("write", URI, HOSTILE);
    await done("snapshot", "create", "monday");
    await done("session", "say", "s1", HOSTILE);
  });
  afterAll(async () => {
    await server?.close();
    await folder?.remove();
  });
  const done = async (...argv: string[]) => {
    const { code, out, err } = await ctxdb(argv, { env });
    expect(code, err).toBe(0);
    return out;
  };

  it.each([
    ["snapshot", "cat", "monday", URI],
    ["context", "s1"],
  ])(
    "ctxdb %s %s prints no control characters to a terminal, but unchanged text to a file",
    async (...argv) => {
      expect(await done(...argv)).toContain(HOSTILE);
      const { out } = await ctxdb(argv, { env, columns: 80 });
      expect(out).toContain("owl");
      expect(out).not.toMatch(/[\u001b\u009b]/);
    },
  );
});

describe("a server that redirects", () => {
  const listen = async (listener: RequestListener) => {
    const server = createServer(listener).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  /** A server that redirects, and the keys that reach the server behind it. */
  const redirecting = async () => {
    const keys: unknown[] = [];
    const elsewhere = await listen((request, response) => {
      keys.push(request.headers["x-api-key"] ?? request.headers.authorization);
      response.setHeader("content-type", "application/json").end("{}");
    });
    const address = await listen((_, response) => response.writeHead(307, { location: elsewhere }).end());
    return { keys, address };
  };

  it("the MCP bridge sends the key to its server, and not to the target of a redirect", async () => {
    const { keys, address } = await redirecting();
    const answers: unknown[] = [];
    const link = new Link({ address, key: "secret" }, async (message) => void answers.push(message));
    await link.post({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(keys).toEqual([]);
    expect(answers).toMatchObject([{ id: 1, error: {} }]);
  });

  it("the probe of the gateway sends the key to its server, and not to the target of a redirect", async () => {
    const { keys, address } = await redirecting();
    await gatewayFault({ address, key: "secret" }, "anthropic");
    expect(keys).toEqual([]);
  });
});
