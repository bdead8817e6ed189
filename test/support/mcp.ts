import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** The text of a tool's result, and whether it is an error. */
export interface Told {
  readonly text: string;
  readonly isError: boolean;
}

export interface McpSession {
  readonly client: Client;
  tool(name: string, args?: Record<string, unknown>): Promise<Told>;
}

/** Connects the official client over any transport. */
export async function mcpSession(transport: Transport): Promise<McpSession> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return {
    client,
    tool: async (name, args = {}) => {
      const answer = await client.callTool({ name, arguments: args });
      const [part] = answer.content as { text: string }[];
      return { text: part?.text ?? "", isError: answer.isError === true };
    },
  };
}

/** Connects over HTTP with the given headers. */
export const mcpOver = (port: number, headers: Record<string, string>): Promise<McpSession> =>
  mcpSession(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit: { headers } }),
  );
