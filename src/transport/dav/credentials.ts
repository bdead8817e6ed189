import { isIPv4 } from "node:net";
import { permissionDenied } from "../../domain/errors.ts";
import { type HttpRequest, isEncrypted } from "../connections/connections.ts";
import { isLoopbackHost } from "../cors.ts";
import { hopOf } from "../forward/hop.ts";
import type { HeaderView } from "../identity.ts";

const BASIC = /^basic\s+([A-Za-z0-9+/_=-]*)$/i;
/** Maximum length of credentials; longer than every key and name. */
const MAX_CREDENTIALS_LENGTH = 1024;

/**
 * Whether keys in the request are safe from eavesdropping: TLS, here or at a proxy, or a loopback address.
 */
export function isPrivate(request: HttpRequest, headers: HeaderView): boolean {
  if (hopOf(request)?.isEncrypted ?? isEncrypted(request)) return true;
  if (/^https\b/i.test(headers.get("x-forwarded-proto") ?? "")) return true;
  const peer = headers.peer ?? "";
  return isLoopbackHost(isIPv4(peer) ? peer : peer.toLowerCase());
}

/**
 * Converts Basic credentials to the headers of other protocols: the password is the API key. ROOT may give
 * `account/user` as the user name to act for that user; any other name is ignored. Throws PERMISSION_DENIED
 * if the request has no other key and a password could be read by others.
 */
export function withBasic(headers: HeaderView, isSafe: boolean, keyless: boolean): HeaderView {
  const authorization = headers.get("authorization")?.trim() ?? "";
  const isBasic = /^basic\b/i.test(authorization);
  const hasKey = Boolean(headers.get("x-api-key")) || (authorization !== "" && !isBasic);
  if (hasKey || (keyless && !isBasic)) return headers;
  if (!isSafe && !keyless)
    throw permissionDenied(
      "Authorization",
      "WebDAV accepts passwords only over TLS or from this machine: " +
        "use https, or send the key as Authorization: Bearer",
    );
  if (!isBasic) return headers;
  const { name, password } = decoded(authorization);
  const [account, user] = /^([^/]*)\/(.*)$/.exec(name)?.slice(1) ?? [];
  const read: Readonly<Record<string, string | undefined>> = {
    "x-api-key": password,
    authorization: undefined,
    "x-ctx-account": headers.get("x-ctx-account") ?? account,
    "x-ctx-user": headers.get("x-ctx-user") ?? user,
  };
  return {
    ...headers,
    get: (header) => (Object.hasOwn(read, header) ? read[header] : headers.get(header)),
  };
}

/** Decodes Basic credentials; a malformed header gives an empty key, which is invalid. */
function decoded(authorization: string): { readonly name: string; readonly password: string } {
  const encoded = authorization.length > MAX_CREDENTIALS_LENGTH ? null : BASIC.exec(authorization);
  const pair = Buffer.from(encoded?.[1] ?? "", "base64").toString();
  const at = pair.indexOf(":");
  return at < 0 ? { name: "", password: "" } : { name: pair.slice(0, at), password: pair.slice(at + 1) };
}
