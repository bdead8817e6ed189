import type { Readable, Writable } from "node:stream";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description(
      "Serve MCP over standard input and output, for agents that start MCP servers as programs. Requests go to a running ctxdb server, with the address and key of the options, variables or profile. Configuration of agents: docs/mcp.md, or `ctxdb connect`.",
    )
    .action(async () => {
      const { bridgeMcp } = await import("../../mcp-bridge.ts");
      const { io } = shell;
      const streams = {
        in: io.in as unknown as Readable,
        out: io.out as unknown as Writable,
        note: (line: string) => shell.note(line),
      };
      await bridgeMcp(await shell.target(), streams);
    });
};
