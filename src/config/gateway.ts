import { isLoopback, type Settings } from "./settings.ts";

/** Configuration of the gateway between agents and chat APIs. */
export interface GatewayConfig {
  readonly urls: { readonly anthropic?: string; readonly openai?: string };
  /** Token budget of the recall per turn; 0: no recall. */
  readonly recallTokens: number;
  /** Maximum time in ms that a call waits for recall. */
  readonly recallMs: number;
  readonly commitSeconds: number;
}

const URLS = ["CTXDB_GATEWAY_ANTHROPIC_URL", "CTXDB_GATEWAY_OPENAI_URL"] as const;

/**
 * Checks that providers' keys, which pass through the gateway, are sent only over TLS or loopback, unless a
 * setting allows plain HTTP.
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
