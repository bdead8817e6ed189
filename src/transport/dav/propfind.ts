import { EventLoopYielder } from "../../base/event-loop.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { NodeDescription, NodePage } from "../../service/filesystem/describe-nodes.ts";
import { lockSpace } from "../../service/filesystem/lock-space.ts";
import { drain, writeHead } from "../respond.ts";
import { sendBytes } from "../rest/send-file.ts";
import { DavError, reasonPhrase } from "./dav-error.ts";
import type { DavAnswer, DavExchange } from "./exchange.ts";
import { LIVE_PROPERTIES, type LiveProperty, quotaOf, type Shown } from "./live-properties.ts";
import type { LockSpace, LockTable } from "./lock-table.ts";
import { hrefOf } from "./paths.ts";
import { checkPreconditions } from "./preconditions.ts";
import type { RequestElement } from "./xml-reader.ts";
import {
  attribute,
  CTX_NAMESPACE,
  DAV_NAMESPACE,
  documentEnd,
  documentStart,
  statusElement,
  XML_TYPE,
} from "./xml-text.ts";

/** Maximum number of members of one folder in a response; above it, the response is marked as incomplete. */
const MAX_MEMBERS = 100_000;
/**
 * Maximum number of properties named in a request, and of their characters, because every member repeats
 * them.
 */
const MAX_NAMED = { count: 64, length: 8192 } as const;
/** Number of characters collected before they are sent. */
const PIECE_LENGTH = 256 * 1024;

interface PropertyName {
  readonly namespace: string;
  readonly name: string;
}

/** Properties that a request asks for. */
interface Asked {
  /** Undefined: all except those returned only on request. */
  readonly names: readonly PropertyName[] | undefined;
  /** Additional properties of `allprop`. */
  readonly included: readonly PropertyName[];
  /** Whether only names are returned, without values. */
  readonly isNamesOnly: boolean;
}

/**
 * PROPFIND: a multi-status response, sent one page of members at a time, so that a large folder neither uses
 * much memory nor blocks the event loop.
 */
export async function propfind(exchange: DavExchange): Promise<DavAnswer | undefined> {
  const { depth, response, request, path } = exchange;
  const body = await exchange.xml();
  const asked = body === undefined ? ALL : askedBy(body);
  await checkPreconditions(exchange, []);
  if (depth !== "0" && depth !== "1") {
    if (depth !== "infinity") throw invalidArgument("Depth", "must be 0, 1 or infinity");
    throw new DavError(
      403,
      "<D:propfind-finite-depth/>",
      hrefOf(path, false),
      "Depth: infinity is not supported: send Depth: 1 for each folder",
    );
  }
  const pages = membersOf(exchange, asked, depth === "1");
  const first = await pages.next();
  const start = documentStart("multistatus") + (first.done ? "" : first.value);
  const second = await pages.next();
  if (second.done) {
    exchange.call.holdAnswer(Buffer.byteLength(start));
    return { status: 207, body: start + documentEnd("multistatus") };
  }
  const chunk = (text: string) => {
    const bytes = Buffer.from(text);
    exchange.call.holdAnswer(bytes.length);
    return bytes;
  };
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield chunk(start + second.value);
    for await (const page of pages) yield chunk(page);
    yield Buffer.from(documentEnd("multistatus"));
  };
  const begin = () =>
    writeHead(response, 207, { "Content-Type": XML_TYPE, "X-Request-Id": exchange.call.requestId });
  await sendBytes(response, begin, chunks());
  drain(request);
  return undefined;
}

/** Generates the responses for a node and its members, in pieces. */
async function* membersOf(
  exchange: DavExchange,
  asked: Asked,
  withChildren: boolean,
): AsyncGenerator<string> {
  const { call, path, context } = exchange;
  const space = await lockSpace(context.deps, call);
  const named = [...(asked.names ?? []), ...asked.included];
  const input = {
    withChildren,
    withLayers: asked.isNamesOnly || named.some(({ namespace }) => namespace === CTX_NAMESPACE),
    withProperties: asked.names?.some(({ namespace }) => namespace !== DAV_NAMESPACE) ?? true,
  };
  const yielder = new EventLoopYielder();
  let after: string | undefined;
  for (let members = 0; ; ) {
    call.throwIfAborted();
    const page = await exchange.describe(path, { ...input, after });
    const shown = (node: NodeDescription) => responseOf(exchange, space, page, node, asked);
    let piece = after === undefined ? shown(page.self) : "";
    for (const child of page.children) {
      piece += shown(child);
      if (piece.length > PIECE_LENGTH) {
        yield piece;
        piece = "";
      }
      await yielder.yieldIfDue();
    }
    members += page.children.length;
    yield piece;
    after = page.next;
    if (after === undefined) return;
    if (members >= MAX_MEMBERS) {
      yield incomplete(hrefOf(path, true));
      return;
    }
  }
}

const incomplete = (href: string): string =>
  `<D:response><D:href>${href}</D:href>${statusElement(507, reasonPhrase(507))}` +
  `<D:responsedescription>only the first ${MAX_MEMBERS} members are listed</D:responsedescription>` +
  "</D:response>";

function responseOf(
  { context: { locks } }: DavExchange,
  space: LockSpace,
  page: NodePage,
  node: NodeDescription,
  asked: Asked,
): string {
  const shown: Shown = {
    node,
    locks: shownLocks(locks, space, node),
    quota: quotaOf(page),
  };
  const found: string[] = [];
  const missing: string[] = [];
  const live = (property: LiveProperty): boolean => {
    const value = property.value(shown);
    if (value !== undefined) found.push(element(property, asked.isNamesOnly ? "" : value));
    return value !== undefined;
  };
  const dead = node.properties.map((property) => ({
    property,
    xml: element(property, asked.isNamesOnly ? "" : property.value, property.language),
  }));
  if (asked.names === undefined) {
    for (const property of LIVE_PROPERTIES)
      if (asked.isNamesOnly || !property.isOnRequest || asked.included.some(isOf(property))) live(property);
    for (const { xml } of dead) found.push(xml);
  } else {
    for (const name of asked.names) {
      const known = LIVE_PROPERTIES.find(isOf(name));
      const stored = known ? undefined : dead.find(({ property }) => isOf(name)(property))?.xml;
      if (stored !== undefined) found.push(stored);
      else if (!known || !live(known)) missing.push(element(name, ""));
    }
  }
  const stats = [
    ...(found.length > 0 || missing.length === 0 ? [propstat(found, 200)] : []),
    ...(missing.length > 0 ? [propstat(missing, 404)] : []),
  ];
  return `<D:response><D:href>${hrefOf(node.path, node.isDirectory)}</D:href>${stats.join("")}</D:response>`;
}

/** The locks on a node; none if the caller may know only its name. */
const shownLocks = (locks: LockTable, space: LockSpace, { isPassed, path }: NodeDescription) =>
  isPassed ? [] : locks.covering(space, path);

export const isOf =
  (one: PropertyName) =>
  ({ namespace, name }: PropertyName): boolean =>
    namespace === one.namespace && name === one.name;

export const propstat = (properties: readonly string[], status: number, more = ""): string =>
  `<D:propstat><D:prop>${properties.join("")}</D:prop>` +
  `${statusElement(status, reasonPhrase(status))}${more}</D:propstat>`;

/** XML element of a property. Names come from a parser and need no escaping. */
export function element({ namespace, name }: PropertyName, value: string, language?: string): string {
  const given = { [DAV_NAMESPACE]: "D:", [CTX_NAMESPACE]: "ctx:" }[namespace];
  const start =
    (given === undefined ? `${name}${attribute("xmlns", namespace)}` : `${given}${name}`) +
    (language === undefined ? "" : attribute("xml:lang", language));
  return value === "" ? `<${start}/>` : `<${start}>${value}</${given ?? ""}${name}>`;
}

const ALL: Asked = { names: undefined, included: [], isNamesOnly: false };

function askedBy(body: RequestElement): Asked {
  if (!isOf({ namespace: DAV_NAMESPACE, name: "propfind" })(body))
    throw invalidArgument("body", 'must be a propfind element of the namespace "DAV:"');
  const child = (name: string) => body.children.find(isOf({ namespace: DAV_NAMESPACE, name }));
  const names = child("prop")?.children;
  const included = child("include")?.children ?? [];
  checkNamed([...(names ?? []), ...included]);
  if (names !== undefined && child("allprop") === undefined && child("propname") === undefined)
    return { ...ALL, names };
  if (child("propname") !== undefined && names === undefined) return { ...ALL, isNamesOnly: true };
  if (child("allprop") === undefined || names !== undefined)
    throw invalidArgument("body", "must contain one of prop, allprop and propname");
  return { ...ALL, included };
}

function checkNamed(named: readonly PropertyName[]): void {
  const length = named.reduce((sum, { namespace, name }) => sum + namespace.length + name.length, 0);
  if (named.length <= MAX_NAMED.count && length <= MAX_NAMED.length) return;
  const { count, length: characters } = MAX_NAMED;
  throw invalidArgument(
    "body",
    `must name at most ${count} properties, with at most ${characters} characters in total`,
  );
}
