import type { Readable, Writable } from "node:stream";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description(
      "Speak MCP on standard input and output, for agents that start their servers as programs. What they ask goes to a running server, as the caller that options, variables or the profile name. docs/mcp.md has the configuration of agents.",
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
