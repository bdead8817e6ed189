/** Hop-by-hop headers (RFC 9110, section 7.6.1), which are not forwarded. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Whether a header (lower-case name) is hop-by-hop, by itself or because a Connection header (its values)
 * declares it.
 */
export function ofConnection(...connection: readonly (string | undefined)[]): (name: string) => boolean {
  const declared = new Set(
    connection.flatMap((value) => value?.split(",") ?? []).map((name) => name.trim().toLowerCase()),
  );
  return (name) => OF_CONNECTION.has(name) || declared.has(name);
}
