import { itemAt } from "../base/expect.ts";
import { invalidArgument } from "../domain/errors.ts";
import { decoded, webAddress } from "./fetch/web-address.ts";
import type { RemoteSpec } from "./source.ts";

/**
 * URL path of a repository by forge: the repository, then optionally a branch, tag or commit with a folder.
 */
const FORGES: ReadonlyMap<string, RegExp> = new Map([
  ["github.com", /^(\/[\w.-]+\/[\w.-]+?)(?:\.git)?(?:\/tree\/(.+?))?\/?$/],
  ["gitlab.com", /^(\/[\w.-]+(?:\/[\w.-]+?)+?)(?:\.git)?(?:\/-\/tree\/(.+?))?\/?$/],
  ["codeberg.org", /^(\/[\w.-]+\/[\w.-]+?)(?:\.git)?(?:\/src\/(?:branch|tag|commit)\/(.+?))?\/?$/],
  ["bitbucket.org", /^(\/[\w.-]+\/[\w.-]+?)(?:\.git)?(?:\/src\/(.+?))?\/?$/],
]);
/** First path segments that are pages of a forge, not owners of repositories. */
const PAGES: ReadonlySet<string> = new Set(
  "about apps blog collections contact customer-stories docs enterprise events explore features help login marketplace notifications orgs pricing search security settings sponsors topics trending users".split(
    " ",
  ),
);
const REPOSITORY = /^(.+\.git)(?:\/(?:-\/)?tree\/(.+?))?\/?$/;
/** `git@host:path`, the short form for SSH. */
const SHORT = /^[\w.-]+@([^/:@\s]+):(?!\/\/)\/?(\S+)$/;

/**
 * Parses the address of a source: a page or file, or a repository if the host is a known forge, the path ends
 * in `.git` or the scheme is git's. Undefined if the text is not an address. SSH addresses are converted to
 * https, because the server does not have the caller's key. Errors as in `webAddress`.
 */
export function remoteSpec(text: string): RemoteSpec | undefined {
  if (/^https?:/i.test(text)) return webSpec(webAddress(text));
  const scheme = /^(git|ssh):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === "git")
    return { kind: "git", url: `git:${webAddress(`http${text.slice(3)}`).href.slice("http:".length)}` };
  if (scheme === "ssh")
    return overHttps(
      text
        .slice("ssh://".length)
        .replace(/^[\w.-]+@/, "")
        .replace(/^([^/]*?):\d*(?=\/)/, "$1"),
    );
  const short = SHORT.exec(text);
  return short ? overHttps(`${short[1]}/${short[2]}`) : undefined;
}

function overHttps(place: string): RemoteSpec {
  // ssh would interpret the host as an option, or the path as a host
  if (/^[-/\\]/.test(place)) throw invalidArgument("path", "the URL has no host name");
  const url = webAddress(`https://${place}`);
  return webSpec(url, true);
}

function webSpec(url: URL, isRepository = false): RemoteSpec {
  const forge = FORGES.get(url.hostname.replace(/^www\./, ""));
  const found =
    (forge && !PAGES.has(itemAt(url.pathname.split("/"), 1)) ? forge.exec(url.pathname) : null) ??
    REPOSITORY.exec(url.pathname);
  if (!found) return isRepository ? { kind: "git", url: url.href } : { kind: "url", url: url.href };
  const tree = found[2]
    ?.split("/")
    .filter((part) => part !== "")
    .map(decoded);
  url.pathname = itemAt(found, 1);
  url.search = "";
  return { kind: "git", url: url.href, ...(tree && { tree }) };
}
