import { atOnce } from "../base/event-loop.ts";
import { invalidArgument } from "./errors.ts";
import { estimateTokens, tokenSteps } from "./text/tokens.ts";

/** Roles of stored messages. */
export const SPEAKERS = ["user", "assistant", "system"] as const;
export type Speaker = (typeof SPEAKERS)[number];
/** Roles that the specification allows in requests. */
export const SPECIFIED_SPEAKERS: readonly Speaker[] = ["user", "assistant"];
export const CONTEXT_TYPES = ["memory", "resource", "skill"] as const;
export const TOOL_STATUSES = ["pending", "running", "completed", "error"] as const;

export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

export interface ContextPart {
  readonly type: "context";
  readonly uri: string;
  readonly context_type: (typeof CONTEXT_TYPES)[number];
  readonly abstract?: string;
}

export interface ToolPart {
  readonly type: "tool";
  readonly tool_id?: string;
  readonly tool_name?: string;
  readonly skill_uri?: string;
  readonly tool_input?: object;
  readonly tool_output?: string;
  readonly tool_status: (typeof TOOL_STATUSES)[number];
}

export type MessagePart = TextPart | ContextPart | ToolPart;

/** A message, as stored in a line of `messages.jsonl`; the field names are part of the API. */
export interface Message {
  readonly id: string;
  readonly role: Speaker;
  readonly parts: readonly MessagePart[];
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** A message part from a caller; `type` determines which fields are used. */
export interface PartInput {
  readonly type: string;
  readonly text?: string | undefined;
  readonly uri?: string | undefined;
  readonly contextType?: string | undefined;
  readonly abstract?: string | undefined;
  readonly toolId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly skillUri?: string | undefined;
  readonly toolInput?: object | undefined;
  readonly toolOutput?: string | undefined;
  readonly toolStatus?: string | undefined;
}

export interface MessageInput {
  readonly role: string;
  readonly content?: string | undefined;
  readonly parts: readonly PartInput[];
}

export const MAX_PARTS = 1000;

/**
 * Validates a message and returns its role and parts. Parts override content; an empty list counts as absent.
 * `canonical` normalises a URI and throws INVALID_URI if it is invalid. `at` prefixes field names in errors.
 */
export function parseMessage(
  input: MessageInput,
  canonical: (uri: string) => string,
  at = "",
  speakers = SPECIFIED_SPEAKERS,
): Pick<Message, "role" | "parts"> {
  const role = oneOf(speakers, input.role, `${at}role`);
  if (input.parts.length > MAX_PARTS)
    throw invalidArgument(`${at}parts`, `must have at most ${MAX_PARTS} parts`);
  if (input.parts.length > 0)
    return { role, parts: input.parts.map((part, i) => parsePart(part, `${at}parts[${i}]`, canonical)) };
  if (input.content === undefined) throw invalidArgument(`${at}content`, "content or parts is required");
  return { role, parts: [{ type: "text", text: input.content.toWellFormed() }] };
}

function parsePart(input: PartInput, at: string, canonical: (uri: string) => string): MessagePart {
  switch (input.type) {
    case "text":
      return { type: "text", text: required(input.text, `${at}.text`).toWellFormed() };
    case "context":
      return {
        type: "context",
        uri: canonical(required(input.uri, `${at}.uri`)),
        context_type: oneOf(CONTEXT_TYPES, input.contextType ?? "memory", `${at}.context_type`),
        ...(input.abstract !== undefined && { abstract: input.abstract.toWellFormed() }),
      };
    case "tool":
      return parseTool(input, at, canonical);
    default:
      throw invalidArgument(`${at}.type`, "must be text, context or tool");
  }
}

function parseTool(input: PartInput, at: string, canonical: (uri: string) => string): ToolPart {
  return {
    type: "tool",
    ...(input.toolId !== undefined && { tool_id: input.toolId.toWellFormed() }),
    ...(input.toolName !== undefined && { tool_name: input.toolName.toWellFormed() }),
    ...(input.skillUri && { skill_uri: canonical(input.skillUri) }),
    ...(input.toolInput !== undefined && { tool_input: input.toolInput }),
    ...(input.toolOutput !== undefined && { tool_output: input.toolOutput.toWellFormed() }),
    tool_status: oneOf(TOOL_STATUSES, input.toolStatus ?? "pending", `${at}.tool_status`),
  };
}

function required(value: string | undefined, field: string): string {
  if (value === undefined) throw invalidArgument(field, "is required");
  return value;
}

function oneOf<T extends string>(allowed: readonly T[], value: string, field: string): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw invalidArgument(field, `must be one of ${allowed.join(", ")}`);
  return found;
}

/** A part as readable text. */
export function partText(part: MessagePart): string {
  if (part.type === "text") return part.text;
  if (part.type === "context") return part.abstract ?? "";
  return [part.tool_name, part.tool_output].filter(Boolean).join(": ");
}

/** Estimated number of tokens that a model reads for a message. */
export const messageTokens = (message: Pick<Message, "parts">): number => atOnce(messageTokenSteps(message));

/** Like messageTokens, in steps. */
export function* messageTokenSteps({ parts }: Pick<Message, "parts">): Generator<undefined, number> {
  let tokens = 0;
  for (const part of parts) {
    tokens += yield* tokenSteps(partText(part));
    if (part.type === "context") tokens += estimateTokens(part.uri);
    if (part.type === "tool" && part.tool_input) tokens += yield* tokenSteps(JSON.stringify(part.tool_input));
  }
  return Math.ceil(tokens);
}

/** URIs that a message used: from its context parts, and of the skills in its tool parts. */
export interface Uses {
  readonly contexts: readonly string[];
  readonly skills: readonly string[];
}

export function usesOf({ parts }: Pick<Message, "parts">): Uses {
  const contexts = parts.flatMap((part) => (part.type === "context" ? [part.uri] : []));
  const skills = parts.flatMap((part) =>
    part.type === "tool" && part.skill_uri !== undefined ? [part.skill_uri] : [],
  );
  return { contexts: [...new Set(contexts)], skills: [...new Set(skills)] };
}
