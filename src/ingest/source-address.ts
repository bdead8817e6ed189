import { itemAt } from "../base/expect.ts";
import { invalidArgument } from "../domain/errors.ts";
import { decoded, webAddress } from "./fetch/web-address.ts";
import type { RemoteSpec } from "./source.ts";

/** Separator between repository and path, by forge. */
const FORGES: ReadonlyMap<string, RegExp> = new Map([
  ["github.com", /^(\/[\w.-]+\/[\w.-]+?)(?:\.git)?(?:\/tree\/(.+?))?\/?$/],
  ["gitlab.com", /^(\/[\w.-]+(?:\/[\w.-]+?)+?)(?:\.git)?(?:\/-\/tree\/(.+?))?\/?$/],
  ["codeberg.org", /^(\/[\w.-]+\/[\w.-]+?)(?:\.git)?(?:\/src\/(?:branch|tag|commit)\/(.+?))?\/?$/],
  ["bitbucket.org", /^(\/[\w.-]+\/[\w.-]+?)(?:\.git)?(?:\/src\/(.+?))?\/?$/],
]);
/** First parts of paths of forges that are pages, not owners. */
const PAGES: ReadonlySet<string> = new Set(
  "about apps blog collections contact customer-stories docs enterprise events explore features help login marketplace notifications orgs pricing search security settings sponsors topics trending users".split(
    " ",
  ),
);
const REPOSITORY = /^(.+\.git)(?:\/(?:-\/)?tree\/(.+?))?\/?$/;
/** `git@host:path`, as ssh has it. */
const SHORT = /^[\w.-]+@([^/:@\s]+):(?!\/\/)\/?(\S+)$/;

/**
 * What a caller names by an address: a page or file, or a repository where it is one of a known forge, ends
 * in `.git` or has a scheme of git. Undefined for what is no address. The forms of ssh mean the same
 * repository over https: the server has no key of the caller's. Errors as of `webAddress`.
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
  // what ssh would take for an option, and a path that would be taken for a host
  if (/^[-/\\]/.test(place)) throw invalidArgument("path", "it names no host");
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
