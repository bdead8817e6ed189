import { z } from "zod";
import { itemAt } from "../../base/expect.ts";
import { type Code, invalidArgument, ServiceError } from "../../domain/errors.ts";
import { toServiceError } from "../errors.ts";
import type { OperationInvoker } from "./operation-invoker.ts";

/** Effect of a tool: reads, adds, or may replace and delete. */
export type Effect = "reads" | "adds" | "changes";

/** A tool: description for agents, and implementation. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  /** A strict object: unknown members are refused. */
  readonly input: z.ZodObject;
  /** Schema of the structured result; absent if the result is only text. */
  readonly output?: z.ZodObject;
  /** Throws ServiceErrors. */
  readonly run: (asker: OperationInvoker, input: never) => Promise<string | DataAnswer>;
}

/** A result as text for models and as data for programs, with links to the nodes that it names. */
export interface DataAnswer<T = object> {
  readonly text: string;
  readonly data: T;
  readonly links?: readonly NodeLink[];
}

/** A node that `resources/read` can return. */
interface NodeLink {
  readonly uri: string;
  readonly description: string;
}

export function tool<S extends z.ZodRawShape>(
  about: Omit<Tool, "input" | "run"> & {
    readonly input: S;
    readonly run: (asker: OperationInvoker, input: z.infer<z.ZodObject<S>>) => Promise<string>;
  },
): Tool {
  return { ...about, input: z.strictObject(about.input) };
}

/** Defines a tool with structured results. */
export function dataTool<S extends z.ZodRawShape, O extends z.ZodRawShape>(
  about: Omit<Tool, "input" | "output" | "run"> & {
    readonly input: S;
    readonly output: O;
    readonly run: (
      asker: OperationInvoker,
      input: z.infer<z.ZodObject<S>>,
    ) => Promise<DataAnswer<z.infer<z.ZodObject<O>>>>;
  },
): Tool {
  return { ...about, input: z.strictObject(about.input), output: z.object(about.output) };
}

/** Result of a tool in the format of MCP. */
export interface ToolAnswer {
  readonly content: (
    | { readonly type: "text"; readonly text: string }
    | {
        readonly type: "resource_link";
        readonly uri: string;
        readonly name: string;
        readonly description: string;
      }
  )[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly [key: string]: unknown;
}

/**
 * First revision with resource links; clients of earlier ones reject this content type, but ignore unknown
 * members.
 */
const FIRST_WITH_LINKS = "2025-06-18";

const readsLinks = (revision: string | undefined): boolean =>
  revision !== undefined && revision >= FIRST_WITH_LINKS;

/** Validates the arguments and runs the tool. Errors are returned to the agent with advice. Never rejects. */
export async function runTool(
  { input, run }: Tool,
  asker: OperationInvoker,
  given: unknown,
): Promise<ToolAnswer> {
  try {
    const answer = await run(asker, parsed(input, given) as never);
    if (typeof answer === "string") return { content: [textContent(answer, asker.warnings)] };
    const { text, data, links = [] } = answer;
    const content = textContent(text, asker.warnings);
    const shown = readsLinks(asker.revision) ? links.map(linkOf) : [];
    return { content: [content, ...shown], structuredContent: wellFormed(data) };
  } catch (error) {
    return {
      content: [{ type: "text", text: explained(toServiceError(error)).toWellFormed() }],
      isError: true,
    };
  }
}

/** The text of a result, plus the warnings that it does not contain yet. */
function textContent(text: string, warnings: ReadonlySet<string>) {
  const missing = [...warnings].filter((warning) => !text.includes(warning));
  const lines = [text.toWellFormed(), ...missing.map((warning) => `warning: ${warning}`)];
  return { type: "text" as const, text: lines.join("\n") };
}

const linkOf = ({ uri, description }: NodeLink) => ({
  type: "resource_link" as const,
  uri: uri.toWellFormed(),
  name: uri.slice(uri.lastIndexOf("/") + 1).toWellFormed() || uri,
  description: description.toWellFormed(),
});

/** Replaces lone surrogates in all strings, because responses must be well-formed. */
const wellFormed = (data: object): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(data, (_, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value)),
  );

function parsed(schema: z.ZodObject, given: unknown): object {
  const result = schema.safeParse(given ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === "unrecognized_keys")
    throw invalidArgument(
      itemAt(issue.keys, 0),
      `is an unknown argument: use ${Object.keys(schema.shape).join(", ")}`,
    );
  const isMissing = issue?.code === "invalid_type" && issue.message.endsWith("received undefined");
  throw invalidArgument(
    issue?.path.join(".") || "arguments",
    isMissing ? "is required" : (issue?.message ?? "are invalid"),
  );
}

/** Advice to an agent by error code. */
const ADVICE: Readonly<Record<Code, string>> = {
  INVALID_ARGUMENT: "Correct the argument that is named and call again.",
  INVALID_URI: "Give a whole URI such as ctx://resources/docs/a.md; ls shows which exist.",
  NOT_FOUND: "Look for the right name with ls, glob or find.",
  ALREADY_EXISTS: "Choose another name, or change what is there.",
  UNAUTHENTICATED:
    "The API key of this connection is missing or wrong. Tell the user: it is set where the MCP server is configured.",
  PERMISSION_DENIED: "This connection may not do that, and trying again will not help. Tell the user.",
  RESOURCE_EXHAUSTED: "Wait as long as the message says, or do less at once, then call again.",
  FAILED_PRECONDITION:
    "Do first what the message asks for. If something is not created yet, call tasks with wait_seconds, then call again.",
  DEADLINE_EXCEEDED:
    "The work goes on. Call tasks with wait_seconds to see how far it is; do not start it again.",
  UNAVAILABLE: "Call again in a second.",
  INTERNAL:
    "This is an internal error; the server log has the details. Call again once; if it fails again, tell the user.",
  UNIMPLEMENTED: "This version of the server cannot do it. Tell the user.",
  EMBEDDING_FAILED: "The model that embeds texts failed. Call again later.",
  VLM_FAILED: "The language model failed. Call again later.",
  SESSION_EXPIRED: "The session was deleted. Leave session_id out to begin a new one.",
};

/** Formats an error for an agent. */
export function explained(error: ServiceError): string {
  const { code, message, details } = error;
  const wait = details?.retry_after;
  const later = typeof wait === "number" ? ` Wait ${wait} s.` : "";
  return `${code}: ${message}\n${ADVICE[code]}${later}`;
}

/** Whether an error has this code. */
export const isRefusal = (error: unknown, code: Code): error is ServiceError =>
  error instanceof ServiceError && error.code === code;
