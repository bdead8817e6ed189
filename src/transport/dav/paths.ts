import { itemAt } from "../../base/expect.ts";
import {
  invalidArgument,
  invalidUri,
  notFound,
  permissionDenied,
  ServiceError,
} from "../../domain/errors.ts";
import { reservedIn } from "../../domain/scope.ts";
import { fitsUri, MAX_URI_BYTES, type Path, segmentFault } from "../../domain/uri.ts";

export const DAV_ROOT = "/dav";

/** Top-level folders: the scopes of URIs. */
const SCOPES: ReadonlySet<string> = new Set(["resources", "user", "agent", "session"]);
/**
 * Maximum length of an encoded path in characters: the longest URI with every byte percent-encoded, and the
 * prefix.
 */
const MAX_PATH_LENGTH = 3 * MAX_URI_BYTES + DAV_ROOT.length;
/**
 * Characters allowed without percent-encoding. A backslash is not, because some clients treat it as a
 * separator.
 */
const LEGAL = /^[\x21\x24-\x3b\x3d\x40-\x5b\x5d-\x7e]*$/;

export const isDavPath = (path: string): boolean => path === DAV_ROOT || path.startsWith(`${DAV_ROOT}/`);

/**
 * Decodes a path below /dav; [] is the folder of the scopes. Except for percent-encoding, normalization and a
 * trailing slash, each path has one spelling: an encoded slash, empty segments, `.` and `..` are INVALID_URI,
 * even if encoded. Throws NOT_FOUND for an unknown scope, PERMISSION_DENIED if something would be created
 * there.
 */
export function pathOf(encoded: string, makes: boolean): Path {
  if (encoded.length > MAX_PATH_LENGTH) throw tooLong();
  if (!isDavPath(encoded)) throw notFound("resource", encoded);
  if (!LEGAL.test(encoded)) throw invalidUri(encoded, "it has a character that must be percent-encoded");
  const rest = encoded.slice(DAV_ROOT.length + 1).replace(/\/$/, "");
  if (rest === "") {
    if (encoded.endsWith("//")) throw invalidUri(encoded, "it has an empty segment");
    return [];
  }
  const path = rest.split("/").map((segment) => nameOf(segment, encoded));
  if (!SCOPES.has(itemAt(path, 0))) {
    if (!makes) throw notFound("resource", encoded);
    throw permissionDenied(
      encoded,
      "top-level folders cannot be created: they are resources, user, agent and session",
    );
  }
  if (!fitsUri(path)) throw tooLong();
  const reserved = makes ? reservedIn(path) : undefined;
  if (reserved !== undefined) throw permissionDenied(encoded, `${reserved} is a reserved name`);
  return path;
}

function nameOf(segment: string, encoded: string): string {
  let name: string;
  try {
    name = decodeURIComponent(segment).normalize("NFC");
  } catch {
    throw invalidUri(encoded, "its percent-encoding is not valid UTF-8");
  }
  const fault = segmentFault(name);
  if (fault !== undefined) throw invalidUri(encoded, `it has ${fault}`);
  return name;
}

const tooLong = () =>
  new ServiceError("INVALID_URI", "the path is too long", { reason: "the path is too long" }, { http: 414 });

/** Encodes a path; a folder gets a trailing slash. */
export function hrefOf(path: Path, isDirectory: boolean): string {
  const encoded = path.map((name) => `/${encodeURIComponent(name)}`).join("");
  return `${DAV_ROOT}${encoded}${isDirectory ? "/" : ""}`;
}

/** Removes a default port: `http://host:80` and `https://host:443` are `host`. */
const hostOf = (authority: string): string => authority.toLowerCase().replace(/:(?:80|443)$/, "");

/**
 * The encoded path of a URL in a header: an absolute URL or only a path. Throws status 502 for a URL of
 * another server (RFC 4918, section 9.8.5).
 */
export function pathOfUrl(header: string, url: string, authority: string | undefined): string {
  const match = /^(?:https?:\/\/([^/?#@\s]+))?(\/(?!\/)[^?#\s]*)$/i.exec(url.trim());
  if (match === null)
    throw invalidArgument(header, "must be a path or an http URL without query and fragment");
  const [, host, path = ""] = match;
  const isForeign = host !== undefined && hostOf(host) !== hostOf(authority ?? "");
  if (isForeign || !isDavPath(path))
    throw invalidArgument(
      header,
      "must be a URL of this server below /dav; a proxy in between must forward the Host header",
      502,
    );
  return path;
}
