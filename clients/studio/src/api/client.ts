import { type Client, CtxdbError, connect } from "../../../typescript/src/web.ts";
import { type Identity, identityNow } from "../identity/identity.ts";

export { CtxdbError };

let made: { readonly identity: Identity; readonly client: Client } | undefined;

/** The client of whoever is signed in. Calls are repeated by the queries, which also show that the server is away. */
export function client(): Client {
  const identity = identityNow();
  if (made?.identity !== identity) {
    made = { identity, client: connect(location.origin, { ...identity, retries: 0 }) };
  }
  return made.client;
}

/** The headers of a REST call, for what Connect cannot do in a browser: uploads with progress. */
export function callHeaders(): Record<string, string> {
  const { key, account, user, agent } = identityNow();
  const headers = { "X-API-Key": key, "X-Ctx-Account": account, "X-Ctx-User": user, "X-Ctx-Agent": agent };
  return Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined),
  );
}

export const codeOf = (thrown: unknown): string => (thrown instanceof CtxdbError ? thrown.code : "UNKNOWN");
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
