import type { Readable, Writable } from "node:stream";
import type { Define } from "../../define.ts";
import type { Shell } from "../../shell.ts";

interface Options {
  readonly dataDir?: string;
}

export const define: Define = (command, shell) => {
  command
    .description(
      "Serve MCP over standard input and output, for agents that start MCP servers as child processes. Requests go to a running ctxdb server; address and key come from the options, environment variables or profile. With --data-dir, no server is needed. To configure an agent, see docs/mcp.md or use `ctxdb connect`.",
    )
    .option("--data-dir <folder>", "open this data directory in this process instead of calling a server")
    .action(async ({ dataDir }: Options) => {
      if (dataDir !== undefined) return embedded(shell, dataDir);
      const { bridgeMcp } = await import("../../mcp/bridge.ts");
      await bridgeMcp(await shell.target(), streamsOf(shell));
    });
};

const streamsOf = (shell: Shell) => ({
  in: shell.io.in as unknown as Readable,
  out: shell.io.out as unknown as Writable,
  note: (line: string) => shell.note(line),
});

/**
 * Runs the server in this process. Options, variables and profile supply the caller's identity, but not the
 * server's address.
 */
async function embedded(shell: Shell, dataDir: string): Promise<void> {
  const { EmbeddedServer } = await import("../../../server/embedded.ts");
  const { bridgeMcp } = await import("../../mcp/bridge.ts");
  const server = new EmbeddedServer({ CTXDB_DATA_DIR: dataDir });
  const { agent, account, user } = await shell.target();
  const who = { ...(agent && { agent }), ...(account && { account }), ...(user && { user }) };
  const reach = async () => ({ ...who, ...(await server.reach()) });
  const ended = () => void server.close().finally(() => process.exit(0));
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, ended);
  try {
    await bridgeMcp(await reach(), streamsOf(shell), reach);
  } finally {
    await server.close();
  }
}
