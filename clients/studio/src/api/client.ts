import { createConnectTransport } from "@connectrpc/connect-web";
import { parseAddress } from "../../../typescript/src/address.ts";
import { Client } from "../../../typescript/src/client.ts";
import { CtxdbError } from "../../../typescript/src/errors.ts";
import { settingsOf } from "../../../typescript/src/options.ts";
import { multipartUploader } from "../../../typescript/src/web/multipart-upload.ts";
import { forgetCalls, recordCalls } from "../calls/recorder.ts";
import { type Identity, identityNow } from "../identity/identity.ts";

export { CtxdbError };

let made: { readonly identity: Identity; readonly client: Client } | undefined;

/**
 * The client of the signed-in user. Queries retry calls themselves, and show when the server is unreachable.
 */
export function client(): Client {
  const identity = identityNow();
  if (made?.identity !== identity) {
    forgetCalls();
    made = { identity, client: connected(identity) };
  }
  return made.client;
}

/** Connects like the browser client, and records every call so that it can be copied as code. */
function connected(identity: Identity): Client {
  const target = parseAddress(location.origin);
  const settings = settingsOf({ ...identity, retries: 0 });
  const transport = createConnectTransport({ baseUrl: target.baseUrl, interceptors: [recordCalls] });
  const uploader = () => multipartUploader(target, settings);
  return new Client({ transport, uploader, close: () => undefined }, settings);
}

/** Headers of a REST call, for what Connect cannot do in a browser: uploads with progress. */
export function callHeaders(): Record<string, string> {
  const { key, account, user, agent } = identityNow();
  const headers = { "X-API-Key": key, "X-Ctx-Account": account, "X-Ctx-User": user, "X-Ctx-Agent": agent };
  return Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined),
  );
}

export const codeOf = (thrown: unknown): string => (thrown instanceof CtxdbError ? thrown.code : "UNKNOWN");
/** Request id, as in the server's log; undefined if no server was reached. */
export const requestOf = (thrown: unknown): string | undefined =>
  thrown instanceof CtxdbError ? thrown.requestId : undefined;
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
