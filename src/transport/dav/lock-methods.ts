import { invalidArgument, permissionDenied, ServiceError } from "../../domain/errors.ts";
import { putFile } from "../../service/content/put-file.ts";
import { lockSpace } from "../../service/filesystem/lock-space.ts";
import { conditionFails, DavError } from "./dav-error.ts";
import type { DavAnswer, DavExchange } from "./exchange.ts";
import { parseIf } from "./if-header.ts";
import { activeLock } from "./live-properties.ts";
import {
  type DavLock,
  isHeldBy,
  type LockSpace,
  MAX_OWNER_BYTES,
  newToken,
  timeoutOf,
} from "./lock-table.ts";
import { hrefOf } from "./paths.ts";
import { checkPreconditions, locked } from "./preconditions.ts";
import { isOf } from "./propfind.ts";
import { contentOf, type RequestElement } from "./xml-reader.ts";
import { DAV_NAMESPACE, xmlDocument } from "./xml-text.ts";

const is = (name: string) => isOf({ namespace: DAV_NAMESPACE, name });

/** LOCK: creates a lock, or, without a body, refreshes the lock named in the If header. */
export async function lock(exchange: DavExchange): Promise<DavAnswer> {
  const body = await exchange.xml();
  return body === undefined ? refresh(exchange) : take(exchange, body);
}

async function refresh(exchange: DavExchange): Promise<DavAnswer> {
  const { context, headers, call, path } = exchange;
  const header = headers.get("if");
  if (header === undefined)
    throw invalidArgument("If", "must name the lock to refresh, because the LOCK has no body");
  const tokens = parseIf(header).flatMap(({ conditions }) => conditions.map(({ value }) => value));
  const space = await lockSpace(context.deps, call);
  const found = context.locks
    .covering(space, path)
    .find((one) => tokens.includes(one.token) && isHeldBy(one, call.caller));
  if (found === undefined)
    throw conditionFails(hrefOf(path, false), "it has no lock of yours with this token");
  // a caller who may no longer write the path must not keep it locked
  await exchange.checkWritable(found.path);
  context.locks.refresh(found, timeoutOf(headers.get("timeout")));
  return { status: 200, body: discovery(found) };
}

async function take(exchange: DavExchange, body: RequestElement): Promise<DavAnswer> {
  const { context, headers, call, path, depth } = exchange;
  const { isShared, owner } = termsOf(body);
  if (depth !== "0" && depth !== "infinity") throw invalidArgument("Depth", "must be 0 or infinity");
  if (path.length <= 1) throw permissionDenied(hrefOf(path, true), "top-level folders cannot be locked");
  const isDeep = depth === "infinity";
  const before = await exchange.find(path);
  if (before === undefined) await exchange.checkParent(path);
  await exchange.checkWritable(path);
  // the parent folder changes only if the lock creates its file
  await checkPreconditions(exchange, before === undefined ? [{ path, isMember: true }] : []);
  const space = await lockSpace(context.deps, call);
  checkConflicts(exchange, space, isShared, isDeep);
  const isNew = before === undefined && (await makeFile(exchange));
  // creating the file may have created the account, and others may have locked meanwhile
  const now = await lockSpace(context.deps, call);
  checkConflicts(exchange, now, isShared, isDeep);
  const taken: DavLock = {
    token: newToken(),
    path,
    isShared,
    isDeep,
    owner,
    holder: call.caller,
    ...context.locks.ending(timeoutOf(headers.get("timeout"))),
  };
  context.locks.add(now, taken);
  return {
    status: isNew ? 201 : 200,
    headers: { "Lock-Token": `<${taken.token}>` },
    body: discovery(taken),
  };
}

/** Creates an empty file for a lock on a missing one (RFC 4918, section 7.3); false if it exists by now. */
async function makeFile(exchange: DavExchange): Promise<boolean> {
  try {
    await exchange.free(exchange.path);
    const input = { uri: exchange.uri(), content: new Uint8Array(), mustBeNew: true, isIndexed: true };
    await putFile(exchange.context.deps, exchange.call, input);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "ALREADY_EXISTS") return false;
    throw error;
  }
}

/** Throws status 423 unless the new lock and all locks that it would overlap are shared. */
function checkConflicts(
  { context: { locks }, path }: DavExchange,
  space: LockSpace,
  isShared: boolean,
  isDeep: boolean,
): void {
  const others = [...locks.covering(space, path), ...(isDeep ? locks.below(space, path) : [])];
  const conflicting = others.filter((other) => !isShared || !other.isShared);
  if (conflicting.length > 0) throw locked(conflicting, "no-conflicting-lock");
}

function termsOf(body: RequestElement): { readonly isShared: boolean; readonly owner: string } {
  const child = (name: string) => body.children.find(is(name));
  const scope = child("lockscope")?.children;
  const isShared = scope?.some(is("shared")) ?? false;
  const isExclusive = scope?.some(is("exclusive")) ?? false;
  if (!is("lockinfo")(body) || isShared === isExclusive || !child("locktype")?.children.some(is("write")))
    throw invalidArgument("body", "must be a lockinfo element with one scope and the type write");
  const owner = child("owner");
  return { isShared, owner: owner === undefined ? "" : contentOf(owner, MAX_OWNER_BYTES) };
}

const discovery = (taken: DavLock): string =>
  xmlDocument("prop", `<D:lockdiscovery>${activeLock(taken)}</D:lockdiscovery>`);

export async function unlock(exchange: DavExchange): Promise<DavAnswer> {
  const { context, headers, call, path } = exchange;
  const token = /^\s*<([^<>]{1,200})>\s*$/.exec(headers.get("lock-token") ?? "")?.[1];
  if (token === undefined) throw invalidArgument("Lock-Token", "must be a token between < and >");
  await context.pipeline.turn(call);
  const space = await lockSpace(context.deps, call);
  const found = context.locks.covering(space, path).find((one) => one.token === token);
  const href = hrefOf(path, false);
  if (found === undefined)
    throw new DavError(409, "<D:lock-token-matches-request-uri/>", href, "it has no lock with this token");
  if (!isHeldBy(found, call.caller) && !(await exchange.administers(found.path)))
    throw permissionDenied(href, "the lock belongs to another user; wait until it expires");
  context.locks.remove(space, found);
  return { status: 204 };
}
