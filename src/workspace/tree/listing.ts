import { itemAt, lastOf } from "../../base/expect.ts";
import { isHidden, isVisible } from "../../domain/scope.ts";
import { compareNames, type Path } from "../../domain/uri.ts";
import { after, type KvPages, prefixRange } from "../../storage/kv.ts";
import { sessionChildren } from "../sessions/rendered-files.ts";
import { countInSession } from "../sessions/session-directories.ts";
import type { Workspace } from "../workspace.ts";
import { layerFiles } from "./layers.ts";
import { type Listed, ListedEntry, listedOf } from "./listed.ts";
import { isOfOwner, isStanding, type Located, locate, type Owner } from "./locate.ts";

const PAGE = 1024;

export interface WalkOptions {
  /** Maximum levels below the start; 0: no limit. */
  readonly levels: number;
  readonly showHidden: boolean;
  /** Continue after this path, relative to the start. */
  readonly after?: Path;
  /** Whether to skip an item of `directory` with everything below it. */
  readonly without?: (item: Listed, directory: Path) => boolean;
}

/** A directory in a walk, with entries that are read but not yielded yet. */
interface Level {
  readonly place: Located;
  readonly pages: AsyncGenerator<Listed[]>;
  page: readonly Listed[];
  next: number;
}

/**
 * Consecutive items of one directory, at most a page. Only the last may be a directory that is entered next.
 */
export interface Run {
  readonly directory: Path;
  readonly items: readonly Listed[];
}

/**
 * Walks everything visible to the owner below a directory in pre-order, names by code points, with one page
 * of entries per level in memory. Consistent if given a snapshot. Empty if the start belongs to another user.
 */
export async function* walk(
  workspace: Workspace,
  kv: KvPages,
  owner: Owner,
  start: Located,
  options: WalkOptions,
): AsyncGenerator<Listed> {
  for await (const { items } of walkRuns(workspace, kv, owner, start, options)) yield* items;
}

/** Like `walk`, but yields many items at a time. */
export async function* walkRuns(
  workspace: Workspace,
  kv: KvPages,
  owner: Owner,
  start: Located,
  options: WalkOptions,
): AsyncGenerator<Run> {
  if (!isOfOwner(kv, workspace.keys, owner, start)) return;
  const { levels, showHidden, without } = options;
  const levelOf = (place: Located, from?: string): Level => {
    return { place, pages: childPages(workspace, kv, owner, place, showHidden, from), page: [], next: 0 };
  };
  const stack = placesOn(workspace, kv, owner, start, options).map(([place, from]) => levelOf(place, from));
  for (let level = stack.at(-1); level; level = stack.at(-1)) {
    if (level.next === level.page.length) {
      const { done, value } = await level.pages.next();
      if (done) stack.pop();
      else Object.assign(level, { page: value, next: 0 });
      continue;
    }
    const items = nextRun(level, without, levels === 0 || stack.length < levels);
    if (items.length > 0) yield { directory: level.place.path, items };
    const last = items.at(-1);
    if (last?.isDirectory && (levels === 0 || stack.length < levels))
      stack.push(levelOf(placeOf(last, level.place)));
  }
}

/** The rest of the page, up to the first directory to enter. */
function nextRun(level: Level, without: WalkOptions["without"], entersDirectories: boolean): Listed[] {
  const items: Listed[] = [];
  while (level.next < level.page.length) {
    const item = itemAt(level.page, level.next++);
    if (without?.(item, level.place.path)) continue;
    items.push(item);
    if (entersDirectories && item.isDirectory) break;
  }
  return items;
}

/** The directories from the start to the resume path, each with the name after which it continues. */
function placesOn(
  workspace: Workspace,
  kv: KvPages,
  owner: Owner,
  start: Located,
  { after: path = [], levels }: WalkOptions,
): [place: Located, from: string | undefined][] {
  const places: [Located, string | undefined][] = [[start, path[0]]];
  for (const [at, name] of path.entries()) {
    const inner =
      levels === 0 || at + 1 < levels
        ? locate(kv, workspace.keys, owner, [...itemAt(places, at)[0].path, name])
        : undefined;
    if (inner?.kind !== "directory") break;
    places.push([inner, path[at + 1]]);
  }
  return places;
}

const placeOf = ({ path, node, entry, session }: Listed, above: Located): Located => ({
  path,
  kind: "directory",
  node,
  directory: above.node,
  ...(entry && { entry }),
  ...(session && { session }),
});

/**
 * Direct children of a directory after the name `from`, sorted, including implicit directories and rendered
 * files. Empty for another user's directory.
 */
export async function* children(
  workspace: Workspace,
  kv: KvPages,
  owner: Owner,
  directory: Located,
  showHidden: boolean,
  from?: string,
): AsyncGenerator<Listed> {
  if (!isOfOwner(kv, workspace.keys, owner, directory)) return;
  for await (const page of childPages(workspace, kv, owner, directory, showHidden, from)) yield* page;
}

async function* childPages(
  workspace: Workspace,
  kv: KvPages,
  owner: Owner,
  directory: Located,
  showHidden: boolean,
  from?: string,
): AsyncGenerator<Listed[]> {
  if (!isVisible(owner, directory.path)) return;
  if (directory.session) {
    for await (const item of sessionChildren(workspace, kv, directory, showHidden, from)) yield [item];
    return;
  }
  const extra = [
    ...standingChildren(workspace, kv, owner, directory),
    ...(showHidden ? layerFiles(workspace, owner, directory) : []),
  ]
    .filter((item) => from === undefined || compareNames(item.name, from) > 0)
    .sort((a, b) => compareNames(a.name, b.name));
  let next = 0;
  const prefix = workspace.keys.entries(directory.node);
  for await (const page of entryPages(workspace, kv, directory, from)) {
    // by page, because a walk takes as long as its reader, and access may be revoked meanwhile
    const isShown = owner.access?.childFilter(directory.path, directory.node);
    const items: Listed[] = [];
    for (const [key, value] of page) {
      const name = key.slice(prefix.length);
      while (next < extra.length && compareNames(itemAt(extra, next).name, name) < 0)
        items.push(itemAt(extra, next++));
      if (next < extra.length && itemAt(extra, next).name === name) next++;
      if (!showHidden && isHidden(name)) continue;
      const item = new ListedEntry(workspace, directory, name, value);
      if (isShown && !isShown(item.node, item.entry.source)) continue;
      items.push(item);
    }
    yield items;
  }
  yield extra.slice(next);
}

/** Pages of encoded entries by key. */
async function* entryPages(
  workspace: Workspace,
  kv: KvPages,
  directory: Located,
  from?: string,
): AsyncGenerator<[string, string][]> {
  // scope directories mix entries of all users; the caller's own are added separately
  if (
    directory.node === 0 ||
    (directory.path.length < 2 && directory.path[0] !== "resources" && directory.path[0] !== "agent")
  )
    return;
  const all = prefixRange(workspace.keys.entries(directory.node), PAGE);
  let reading: Promise<[string, string][]> | undefined = kv.texts({
    ...all,
    gte: from === undefined ? all.gte : after(workspace.keys.entry(directory.node, from)),
  });
  while (reading) {
    const page: [string, string][] = await reading;
    reading = page.length < PAGE ? undefined : kv.texts({ ...all, gte: after(lastOf(page)[0]) });
    // the next page is read ahead; its errors are reported when it is awaited
    reading?.catch(() => undefined);
    if (page.length > 0) yield page;
  }
}

/** Implicit children visible to the caller, and spaces of other users who share something. */
function standingChildren(workspace: Workspace, kv: KvPages, owner: Owner, directory: Located): Listed[] {
  const names = standingNames(owner, directory.path);
  const isUsers = directory.path.length === 1 && directory.path[0] === "user";
  const shared = isUsers ? (owner.access?.foreignSpaces() ?? []) : [];
  return [...names, ...shared.map(({ name }) => name)].flatMap((name) => {
    const path = [...directory.path, name];
    const found = locate(kv, workspace.keys, owner, path);
    const isThere = found && (found.entry !== undefined || isStanding(owner, path));
    return isThere ? [listedOf(workspace, found)] : [];
  });
}

function standingNames(owner: Owner, path: Path): string[] {
  const [scope, name] = path;
  if (path.length === 0) return ["agent", "resources", "session", "user"];
  if (path.length === 1)
    return scope === "agent" ? [owner.agent, "skills"] : scope === "resources" ? [] : [owner.user];
  return path.length === 2 && (scope === "user" || (scope === "agent" && name !== "skills"))
    ? ["memories"]
    : [];
}

/**
 * Number of visible files and directories below a directory. Scope roots also contain other users' spaces,
 * and grants may hide something; such directories are counted by listing them.
 */
export async function countBelow(workspace: Workspace, owner: Owner, directory: Located): Promise<number> {
  if (directory.path[0] === "session" && directory.path.length >= 2)
    return countSessions(workspace, directory);
  const isWhole = owner.access?.showsLayers(directory.node) ?? true;
  if (isWhole && (directory.path.length >= 2 || directory.path[0] === "resources")) {
    const missing = standingNames(owner, directory.path).filter((name) => {
      const path = [...directory.path, name];
      return isStanding(owner, path) && !locate(workspace.kv, workspace.keys, owner, path)?.entry;
    });
    return workspace.table.below(directory.node) + missing.length;
  }
  let count = 0;
  for await (const item of children(workspace, workspace.kv, owner, directory, false)) {
    count++;
    if (item.isDirectory) count += await countBelow(workspace, owner, placeOf(item, directory));
  }
  return count;
}

/** Counts the entries of the sessions directory, of a session, or of a directory in one. */
async function countSessions({ kv, sessions }: Workspace, { path, session }: Located): Promise<number> {
  let count = 0;
  if (!session)
    for await (const { record } of sessions.of(kv, itemAt(path, 1))) count += 1 + countInSession(record);
  const record = session && sessions.record(kv, session.session);
  if (!record) return count;
  switch (session.kind) {
    case "session":
      return countInSession(record);
    case "history":
      return 2 * record.archives;
    case "tools":
      return record.tools;
    case "archive":
      return 1;
  }
}
