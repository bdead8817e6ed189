import type { NodeDescription, NodePage } from "../../service/filesystem/describe-nodes.ts";
import type { DavLock } from "./lock-table.ts";
import { hrefOf } from "./paths.ts";
import { CTX_NAMESPACE, DAV_NAMESPACE, escaped } from "./xml-text.ts";

/** A node with the data for its live properties. */
export interface Shown {
  readonly node: NodeDescription;
  readonly locks: readonly DavLock[];
  /** Stored bytes of the account, and bytes left; undefined: no limit. */
  readonly quota: { readonly used: number; readonly available: number | undefined };
}

/** XML content of a property; undefined if the node does not have it. */
type Value = (shown: Shown) => string | undefined;

export interface LiveProperty {
  readonly namespace: string;
  readonly name: string;
  readonly value: Value;
  /**
   * Whether the property is returned only if requested by name (RFC 4918, section 9.1; RFC 4331, section 3).
   */
  readonly isOnRequest: boolean;
}

const MAX_SHOWN_LOCKS = 16;

const text = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : escaped(value);
const ofFile =
  (value: (node: NodeDescription) => string | undefined): Value =>
  ({ node }) =>
    node.isDirectory ? undefined : text(value(node));

const DAV: readonly [name: string, value: Value, isOnRequest?: boolean][] = [
  ["resourcetype", ({ node }) => (node.isDirectory ? "<D:collection/>" : "")],
  ["displayname", ({ node }) => text(node.path.at(-1) ?? "ctxdb")],
  // an account that was never written has no times
  ["creationdate", ({ node }) => (node.created > 0 ? new Date(node.created).toISOString() : undefined)],
  ["getlastmodified", ({ node }) => (node.modified > 0 ? new Date(node.modified).toUTCString() : undefined)],
  ["getcontentlength", ofFile(({ size }) => String(size))],
  ["getcontenttype", ofFile(({ mime }) => mime)],
  ["getetag", ofFile(({ etag }) => (etag === undefined ? undefined : `"${etag}"`))],
  ["supportedlock", () => ["exclusive", "shared"].map(lockEntry).join("")],
  // limited, because every member of a locked folder repeats the locks
  ["lockdiscovery", ({ locks }) => locks.slice(0, MAX_SHOWN_LOCKS).map(activeLock).join("")],
  ["quota-used-bytes", ({ node, quota }) => (node.isDirectory ? String(quota.used) : undefined), true],
  [
    "quota-available-bytes",
    ({ node, quota }) => (node.isDirectory ? quota.available?.toString() : undefined),
    true,
  ],
];

/** Properties of ctxdb: abstract and overview of a file or folder, and its tags. */
const OWN: readonly [name: string, value: Value][] = [
  ["abstract", ({ node }) => text(node.abstract)],
  ["overview", ({ node }) => text(node.overview)],
  ["tags", ({ node }) => (node.tags.length > 0 ? node.tags.join(" ") : undefined)],
];

export const LIVE_PROPERTIES: readonly LiveProperty[] = [
  ...DAV.map(([name, value, isOnRequest = false]) => ({
    namespace: DAV_NAMESPACE,
    name,
    value,
    isOnRequest,
  })),
  ...OWN.map(([name, value]) => ({ namespace: CTX_NAMESPACE, name, value, isOnRequest: true })),
];

/** Whether clients cannot set a property: the server defines all properties of these namespaces. */
export const isProtected = (namespace: string): boolean =>
  namespace === DAV_NAMESPACE || namespace === CTX_NAMESPACE;

/** Bytes that an account uses, and that remain up to the limit. */
export const quotaOf = ({ usedBytes, maxBytes }: NodePage): Shown["quota"] => ({
  used: usedBytes,
  available: maxBytes === 0 ? undefined : Math.max(0, maxBytes - usedBytes),
});

const lockEntry = (scope: string): string =>
  `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>`;

export function activeLock({ isShared, isDeep, owner, seconds, token, path }: DavLock): string {
  return [
    "<D:activelock><D:locktype><D:write/></D:locktype>",
    `<D:lockscope><D:${isShared ? "shared" : "exclusive"}/></D:lockscope>`,
    `<D:depth>${isDeep ? "infinity" : "0"}</D:depth>`,
    owner === "" ? "" : `<D:owner>${owner}</D:owner>`,
    `<D:timeout>Second-${seconds}</D:timeout>`,
    `<D:locktoken><D:href>${token}</D:href></D:locktoken>`,
    `<D:lockroot><D:href>${hrefOf(path, false)}</D:href></D:lockroot>`,
    "</D:activelock>",
  ].join("");
}
