import { messageOf } from "../../base/faults.ts";
import type { Profile } from "../profiles.ts";

const CHATS = { anthropic: "messages", openai: "responses" } as const;
export type ProbedProvider = keyof typeof CHATS;
/** Time limit of a probe in ms. */
const PROBE_MS = 5000;

/**
 * Why a server's gateway does not serve a provider; undefined if it does. The request names an invalid
 * session, so that the gateway rejects it and nothing reaches the provider.
 */
export async function gatewayFault(target: Profile, provider: ProbedProvider): Promise<string | undefined> {
  const url = new URL(`/gateway/${provider}/v1/${CHATS[provider]}`, target.address);
  const who = {
    "X-Ctxdb-Key": target.key,
    "X-Ctxdb-Account": target.account,
    "X-Ctxdb-User": target.user,
  };
  const said = Object.entries(who).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const headers = { "Content-Type": "application/json", "X-Ctxdb-Session": "!", ...Object.fromEntries(said) };
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers,
      body: "{}",
      // a followed redirect would send the key to another host
      redirect: "manual",
      signal: AbortSignal.timeout(PROBE_MS),
    });
    await answer.body?.cancel();
    const code = answer.headers.get("x-ctxdb-error") ?? `HTTP ${answer.status}`;
    if (code === "INVALID_ARGUMENT") return undefined;
    return code === "NOT_FOUND" ? `off: set CTXDB_GATEWAY_${provider.toUpperCase()}_URL on the server` : code;
  } catch (error) {
    return messageOf(error);
  }
}
