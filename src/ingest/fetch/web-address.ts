import { invalidArgument, permissionDenied } from "../../domain/errors.ts";

const MAX_URL_BYTES = 4096;
const WEB: ReadonlySet<string> = new Set(["http:", "https:"]);

/**
 * Parses a URL that may be fetched if its host is allowed. `base`: the page with the link; `field`: the
 * parameter named in errors. Throws INVALID_ARGUMENT for an invalid URL or one with credentials,
 * PERMISSION_DENIED for another scheme.
 */
export function webAddress(text: string, base?: URL, field = "path"): URL {
  if (Buffer.byteLength(text) > MAX_URL_BYTES)
    throw invalidArgument(field, `a URL must have at most ${MAX_URL_BYTES} bytes`);
  // the URL parser would silently drop these characters
  if (/[\p{Cc}\s]/u.test(text)) throw invalidArgument(field, "must be a URL without white space");
  if (!URL.canParse(text, base?.href)) throw invalidArgument(field, "must be a URL");
  const url = new URL(text, base?.href);
  if (!WEB.has(url.protocol))
    throw permissionDenied(`${url.protocol}//`, "imports fetch only http and https URLs");
  if (url.username !== "" || url.password !== "")
    throw invalidArgument(field, "must not contain credentials, because the server stores and shows the URL");
  if (url.hostname === "") throw invalidArgument(field, "the URL has no host name");
  url.hash = "";
  return url;
}

/**
 * An address for error messages, which tasks and dead letters store: without credentials, and without the
 * query, which contains the key of a signed URL.
 */
export const shownAddress = (text: string): string =>
  text.replace(/^([a-z][a-z0-9+.-]{0,30}:\/\/)[^/?#]*@/i, "$1").replace(/\?.*$/s, "?…");

/** The effective port of a URL. */
export const portOf = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);

/** Decodes valid percent escapes. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
