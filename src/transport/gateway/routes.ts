import { anthropicMessages } from "./anthropic-messages.ts";
import type { ChatApi } from "./conversation.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";

/** Supported providers. */
export const GATEWAY_PROVIDERS = ["anthropic", "openai"] as const;
export type GatewayProvider = (typeof GATEWAY_PROVIDERS)[number];

/** A gateway request, parsed from its path. */
export interface GatewayRoute {
  readonly provider: GatewayProvider;
  /** Path at the provider after the version, such as `messages`. */
  readonly path: string;
  /** For logs and metrics. */
  readonly operation: string;
  /** Format of its messages; undefined if it has none. */
  readonly api?: ChatApi;
  /** Whether the request only counts tokens: it has messages but no response message. */
  readonly isCount?: boolean;
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
const PREFIX = "/gateway";
const VERSION = "v1";
/**
 * A path segment: not empty, not `.` or `..`, without an encoded slash, dot, percent or control character.
 */
const SEGMENT = /^(?!\.{1,2}$)(?:[\w.~:@!$&'()*+,;=-]|%(?!2[5ef]|5c|[01]|7f)[\da-f]{2}){1,256}$/i;
const MAX_SEGMENTS = 16;

const CHATS: Readonly<Record<string, Omit<GatewayRoute, "provider" | "path">>> = {
  "anthropic/messages": { operation: "Gateway.Messages", api: anthropicMessages },
  "anthropic/messages/count_tokens": {
    operation: "Gateway.CountTokens",
    api: anthropicMessages,
    isCount: true,
  },
  "openai/chat/completions": { operation: "Gateway.ChatCompletions", api: openaiChat },
  "openai/responses": { operation: "Gateway.Responses", api: openaiResponses },
  "openai/responses/input_tokens": {
    operation: "Gateway.CountTokens",
    api: openaiResponses,
    isCount: true,
  },
};

export const isGatewayPath = (path: string): boolean => path === PREFIX || path.startsWith(`${PREFIX}/`);

/** Parses a method and path (still encoded); undefined if unsupported. */
export function gatewayRoute(method: string, path: string): GatewayRoute | undefined {
  const [, , name, version, ...rest] = path.split("/");
  const provider = GATEWAY_PROVIDERS.find((one) => one === name);
  if (provider === undefined || version !== VERSION || !METHODS.has(method)) return undefined;
  if (rest.length === 0 || rest.length > MAX_SEGMENTS) return undefined;
  if (!rest.every((segment) => SEGMENT.test(segment))) return undefined;
  const inner = rest.join("/");
  const chat = method === "POST" ? CHATS[`${provider}/${inner}`] : undefined;
  return { provider, path: inner, ...(chat ?? { operation: "Gateway.Other" }) };
}
