import { fileURLToPath } from "node:url";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { TYPESCRIPT_LOADER } from "../../src/base/processes/child-process.ts";
import { type McpSession, mcpSession } from "../support/mcp.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

/** Starts `ctxdb mcp` over the folder without a server, as an agent does. */
async function agent(): Promise<McpSession & { readonly pid: number }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...TYPESCRIPT_LOADER, MAIN, "mcp", "--data-dir", folder.path],
    env: { ...getDefaultEnvironment(), CTXDB_EMBEDDING_PROVIDER: "light", CTXDB_LOG_LEVEL: "error" },
    stderr: "ignore",
  });
  return { ...(await mcpSession(transport)), pid: transport.pid ?? 0 };
}

describe("ctxdb mcp without a server", () => {
  it("two agents share a data directory, and the second continues after the first was killed", async () => {
    const uri = "ctx://resources/tea.md";
    const first = await agent();
    expect((await first.tool("status")).text).toMatch(/^account default, user default/);
    expect(await first.tool("write", { uri, content: "Oolong is brewed at 90 degrees." })).toMatchObject({
      isError: false,
    });
    const second = await agent();
    expect((await second.tool("read", { uri })).text).toContain("90 degrees");
    process.kill(first.pid, "SIGKILL");
    // a request in progress during the kill fails; the next one finds no server and opens the folder
    await vi.waitFor(() => second.tool("read", { uri }), { timeout: 20_000, interval: 100 });
    const more = await second.tool("write", { uri, content: "\nGreen tea at 80.", mode: "append" });
    expect(more).toMatchObject({ isError: false });
    expect((await second.tool("read", { uri })).text).toContain("90 degrees.\nGreen tea at 80.");
    await second.client.close();
    const third = await agent();
    expect((await third.tool("read", { uri })).text).toContain("Green tea at 80.");
    await third.client.close();
    await first.client.close();
  }, 120_000);
});
