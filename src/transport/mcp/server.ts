import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  type Tool as ToolDescription,
} from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { z } from "zod";
import { toServiceError } from "../errors.ts";
import { complete } from "./complete.ts";
import type { OperationInvoker } from "./operation-invoker.ts";
import { ProgressReport } from "./progress.ts";
import { listResources, readResource, templatesOf } from "./resources.ts";
import { isRefusal, runTool, type Tool } from "./tool.ts";
import { addResource } from "./tools/add-resource.ts";
import { treeTools } from "./tools/change-tree.ts";
import { findingTools } from "./tools/find-and-recall.ts";
import { forgettingTools } from "./tools/forget.ts";
import { patternTools } from "./tools/grep-and-glob.ts";
import { historyTools } from "./tools/history.ts";
import { lookingTools } from "./tools/ls-and-stat.ts";
import { readingTools } from "./tools/read.ts";
import { rememberingTools } from "./tools/remember.ts";
import { skillTools } from "./tools/skills.ts";
import { snapshotTools } from "./tools/snapshots.ts";
import { watchingTools } from "./tools/tasks.ts";
import { trashTools } from "./tools/trash.ts";
import { writingTools } from "./tools/write.ts";

const TOOLS: readonly Tool[] = [
  ...findingTools,
  ...readingTools,
  ...historyTools,
  ...trashTools,
  ...snapshotTools,
  ...lookingTools,
  ...patternTools,
  addResource,
  ...writingTools,
  ...treeTools,
  ...skillTools,
  ...rememberingTools,
  ...forgettingTools,
  ...watchingTools,
];

const INSTRUCTIONS = `ctxdb keeps documents, skills and memories in one tree of URIs (ctx://resources, ctx://agent/skills, ctx://user, ctx://session).
Every node has three layers: abstract (a sentence), overview (a page), content. Go from the small to the large: find or ls, then read the overview, then the content.
At the start of a task: recall what is known of the user and the subject, and look whether a skill fits (skills). When you learned something that will matter again, remember it.`;

/**
 * A shared validator, because creating one costs more than a request. The server never requests the data that
 * it would validate.
 */
const validator = new AjvJsonSchemaValidator();

/** Cache hints of responses that are identical for all callers until the server changes. */
const FIXED = { ttlMs: 5 * 60_000, cacheScope: "public" } as const;

export interface About {
  readonly version: string;
  /** Root of all URIs, such as `ctx://`. */
  readonly root: string;
}

/** Tools, resource templates and instructions that the server offers. */
export class Catalogue {
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly ToolDescription[];
  readonly templates: ReturnType<typeof templatesOf>;

  constructor({ version, root }: About) {
    this.version = version;
    this.instructions = INSTRUCTIONS.replaceAll("ctx://", root);
    this.tools = TOOLS.map((tool) =>
      JSON.parse(JSON.stringify(descriptionOf(tool)).replaceAll("ctx://", root)),
    );
    this.templates = templatesOf(root);
  }
}

function descriptionOf({ name, title, description, effect, input, output }: Tool): ToolDescription {
  const readOnlyHint = effect === "reads";
  const annotations = {
    title,
    readOnlyHint,
    ...(!readOnlyHint && { destructiveHint: effect === "changes" }),
    openWorldHint: false,
  };
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input, { io: "input" }),
    ...(output && { outputSchema: outputSchemaOf(output) }),
    annotations,
  };
}

type ObjectSchema = ToolDescription["inputSchema"];

function schemaOf(schema: z.ZodObject, options: Parameters<typeof z.toJSONSchema>[1]): ObjectSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, options);
  return made as ObjectSchema;
}

/** Allows additional members, so that a current client accepts responses of later versions. */
const outputSchemaOf = (output: z.ZodObject): ObjectSchema =>
  schemaOf(output, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
    },
  });

/**
 * Creates the server for one request, because the protocol is stateless. `isSubscribed`: whether a client can
 * subscribe to resources, which requires a session in revisions before 2026-07-28.
 */
export function mcpServer(
  { version, instructions, tools, templates }: Catalogue,
  asker: OperationInvoker,
  { isSubscribed }: { readonly isSubscribed: boolean },
): Server {
  const about = { name: "ctxdb", title: "ctxdb", version };
  const server = new Server(about, {
    capabilities: {
      tools: {},
      resources: { listChanged: true, ...(isSubscribed && { subscribe: true }) },
      completions: {},
    },
    instructions,
    jsonSchemaValidator: validator,
    cacheHints: { "tools/list": FIXED, "resources/templates/list": FIXED, "server/discover": FIXED },
  });
  server.setRequestHandler("tools/list", () => ({ tools: [...tools] }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown tool: ${params.name.slice(0, 100)}`);
    const progress = progressTo(mcpReq);
    asker.progress = progress;
    return runTool(tool, asker, params.arguments).finally(() => progress?.end());
  });
  server.setRequestHandler("resources/list", ({ params }) =>
    listResources(asker, params?.cursor).catch(refuse),
  );
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: templates }));
  server.setRequestHandler("completion/complete", ({ params }) => complete(asker, params).catch(refuse));
  server.setRequestHandler("resources/read", ({ params }) =>
    readResource(asker, params.uri).catch((error: unknown) => {
      if (!isRefusal(error, "NOT_FOUND")) return refuse(error);
      throw new ResourceNotFoundError(params.uri, `${error.code}: ${error.message}`);
    }),
  );
  return server;
}

/** Progress report for a client that sent a progress token; undefined for others. */
function progressTo({ _meta: meta, notify }: ServerContext["mcpReq"]): ProgressReport | undefined {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return new ProgressReport((report) => {
    const method = "notifications/progress";
    // ignore errors: the client may have disconnected
    notify({ method, params: { progressToken, ...report } }).catch(() => undefined);
  });
}

function refuse(error: unknown): never {
  const { code, message, details, http } = toServiceError(error);
  const number = http < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  throw new ProtocolError(number, `${code}: ${message}`, { code, ...(details && { details }) });
}
