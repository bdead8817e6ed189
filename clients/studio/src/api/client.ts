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

/** The client of whoever is signed in. Calls are repeated by the queries, which also show that the server is away. */
export function client(): Client {
  const identity = identityNow();
  if (made?.identity !== identity) {
    forgetCalls();
    made = { identity, client: connected(identity) };
  }
  return made.client;
}

/** As the client for browsers connects, with every call noted to be copied as code. */
function connected(identity: Identity): Client {
  const target = parseAddress(location.origin);
  const settings = settingsOf({ ...identity, retries: 0 });
  const transport = createConnectTransport({ baseUrl: target.baseUrl, interceptors: [recordCalls] });
  const uploader = () => multipartUploader(target, settings);
  return new Client({ transport, uploader, close: () => undefined }, settings);
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
/** Names the call in the server's log; undefined where no server was reached. */
export const requestOf = (thrown: unknown): string | undefined =>
  thrown instanceof CtxdbError ? thrown.requestId : undefined;
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
