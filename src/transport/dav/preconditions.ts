import { ServiceError } from "../../domain/errors.ts";
import type { Path } from "../../domain/uri.ts";
import { lockSpace } from "../../service/filesystem/lock-space.ts";
import { conditionFails, DavError } from "./dav-error.ts";
import type { DavExchange } from "./exchange.ts";
import { type IfCondition, parseIf } from "./if-header.ts";
import { type DavLock, isHeldBy, type LockSpace } from "./lock-table.ts";
import { hrefOf, pathOf, pathOfUrl } from "./paths.ts";

/** A path that a request changes. */
export interface Touched {
  readonly path: Path;
  /** Whether the parent folder gains or loses a member. */
  readonly isMember?: boolean;
  /** Whether everything below changes, too. */
  readonly isDeep?: boolean;
}

interface Checked {
  /** The caller's lock space. */
  readonly space: LockSpace;
  /** Entity tag of the request's path that the If header requires; the change must require it, too. */
  readonly etag: string | undefined;
}

/**
 * Evaluates the If header, and checks that the request names the locks on all paths it changes. Throws status
 * 412 if no list of the header holds, 423 for a lock that is not named or belongs to another user.
 */
export async function checkPreconditions(
  exchange: DavExchange,
  touched: readonly Touched[],
): Promise<Checked> {
  const { context, call, headers } = exchange;
  const space = await lockSpace(context.deps, call);
  const header = headers.get("if");
  const lists = header === undefined ? [] : parseIf(header);
  const holding = await firstHolding(exchange, space, lists);
  if (lists.length > 0 && holding === undefined)
    throw conditionFails(hrefOf(exchange.path, false), "no condition list of the If header is true");
  const tokens = new Set(
    lists.flatMap(({ conditions }) =>
      conditions.filter(({ kind }) => kind === "token").map(({ value }) => value),
    ),
  );
  const blocking = touched.flatMap((place) => blockers(exchange, space, place, tokens));
  if (blocking.length > 0) throw locked(blocking);
  return { space, etag: holding?.etag };
}

/**
 * The locks that prevent a change: all locks of each locked path, unless the request names one that the
 * caller holds.
 */
function blockers(
  { context: { locks }, call }: DavExchange,
  space: LockSpace,
  { path, isMember, isDeep }: Touched,
  tokens: ReadonlySet<string>,
): DavLock[] {
  const above = isMember ? locks.at(space, path.slice(0, -1)) : [];
  const all = new Set([
    ...locks.covering(space, path),
    ...above,
    ...(isDeep ? locks.below(space, path) : []),
  ]);
  const byPlace = new Map<string, DavLock[]>();
  for (const lock of all) {
    const place = lock.path.join("/");
    byPlace.set(place, [...(byPlace.get(place) ?? []), lock]);
  }
  const isNamed = (lock: DavLock) => tokens.has(lock.token) && isHeldBy(lock, call.caller);
  return [...byPlace.values()].filter((onPlace) => !onPlace.some(isNamed)).flat();
}

/** Status 423. */
export function locked(
  locks: readonly DavLock[],
  condition: "lock-token-submitted" | "no-conflicting-lock" = "lock-token-submitted",
): DavError {
  const hrefs = [...new Set(locks.map(({ path }) => hrefOf(path, false)))];
  const elements = hrefs.map((href) => `<D:href>${href}</D:href>`).join("");
  return new DavError(
    423,
    `<D:${condition}>${elements}</D:${condition}>`,
    hrefs[0] ?? "",
    "it is locked: name a lock of yours in the If header",
  );
}

/** The first list that holds, with the entity tag that it requires of the request's path. */
async function firstHolding(
  exchange: DavExchange,
  space: LockSpace,
  lists: ReturnType<typeof parseIf>,
): Promise<Pick<Checked, "etag"> | undefined> {
  const etags = new Map<string, Promise<string | undefined>>();
  const etagAt = (path: Path): Promise<string | undefined> => {
    const key = path.join("/");
    const known = etags.get(key) ?? exchange.find(path).then((found) => found?.etag);
    etags.set(key, known);
    return known;
  };
  const holds = async ({ isNegated, kind, value }: IfCondition, path: Path): Promise<boolean> => {
    const isSo =
      kind === "etag"
        ? (await etagAt(path)) === value
        : exchange.context.locks.covering(space, path).some(({ token }) => token === value);
    return isSo !== isNegated;
  };
  for (const { resource, conditions } of lists) {
    const path = resource === undefined ? exchange.path : placeOf(exchange, resource);
    if (path === undefined) continue;
    let isSo = true;
    for (const condition of conditions) isSo = isSo && (await holds(condition, path));
    if (!isSo) continue;
    const isOwn = path.join("/") === exchange.path.join("/");
    const required = isOwn
      ? conditions.find(({ isNegated, kind }) => kind === "etag" && !isNegated)
      : undefined;
    return { etag: required?.value };
  }
  return undefined;
}

/** The path of a URL; undefined if it is not on this server, so that no condition holds. */
function placeOf({ authority }: DavExchange, url: string): Path | undefined {
  try {
    return pathOf(pathOfUrl("If", url, authority), false);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
