import { isLoopback, type Settings } from "./settings.ts";

/** The gateway to providers of chat APIs. */
export interface GatewayConfig {
  readonly urls: { readonly anthropic?: string; readonly openai?: string };
  /** Per turn; 0: no recall. */
  readonly recallTokens: number;
  /** Time in ms that a call waits for a recall. */
  readonly recallMs: number;
  readonly commitSeconds: number;
}

const URLS = ["CTXDB_GATEWAY_ANTHROPIC_URL", "CTXDB_GATEWAY_OPENAI_URL"] as const;

/**
 * Keys of providers pass through the gateway: without TLS only on this machine, or if a setting allows it.
 */
export function gatewayFaults(found: Settings): string[] {
  return URLS.flatMap((name) => {
    const value = found[name];
    if (value === undefined || found.CTXDB_URL_ALLOW_PRIVATE) return [];
    const { protocol, hostname } = new URL(value);
    if (protocol === "https:" || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"))) return [];
    return [
      `${name} must be an https URL: keys would be sent in clear text; for a provider in a private network set CTXDB_URL_ALLOW_PRIVATE=true`,
    ];
  });
}

/** Undefined if no provider is configured. */
export function gatewayOf(found: Settings): GatewayConfig | undefined {
  const { CTXDB_GATEWAY_ANTHROPIC_URL: anthropic, CTXDB_GATEWAY_OPENAI_URL: openai } = found;
  if (anthropic === undefined && openai === undefined) return undefined;
  return {
    urls: { ...(anthropic !== undefined && { anthropic }), ...(openai !== undefined && { openai }) },
    recallTokens: found.CTXDB_GATEWAY_RECALL_TOKENS,
    recallMs: found.CTXDB_GATEWAY_RECALL_MS,
    commitSeconds: found.CTXDB_GATEWAY_COMMIT_SECONDS,
  };
}
