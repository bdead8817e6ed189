import type { Entry } from "../domain/node.ts";
import { isHidden } from "../domain/scope.ts";
import { compareNames, type Path } from "../domain/uri.ts";
import { after, type KvPages, prefixRange } from "../storage/kv.ts";
import { decode } from "../storage/records.ts";
import { layerFiles } from "./layers.ts";
import { type Listed, listedOf } from "./listed.ts";
import { isStanding, type Located, locate, locatedAt, type Owner } from "./locate.ts";
import { sessionChildren } from "./session-files.ts";
import { countInSession } from "./session-places.ts";
import type { Workspace } from "./workspace.ts";

const PAGE = 500;

export interface WalkOptions {
  /** Levels below the start; 0 = no limit. */
  readonly levels: number;
  readonly showHidden: boolean;
  /** Go on behind this path, relative to the start. */
  readonly after?: Path;
  /** Leaves an item out with everything below it. */
  readonly without?: (item: Listed) => boolean;
}

/** Everything below a directory in pre-order, names by code points, one page of entries in memory at a time; over a snapshot it is the tree of one moment. */
export async function* walk(
  workspace: Workspace,
  kv: KvPages,
  owner: Owner,
  start: Located,
  options: WalkOptions,
  depth = 1,
): AsyncGenerator<Listed> {
  const [resume, ...rest] = options.after ?? [];
  const { after: _, ...onwards } = options;
  const descend = options.levels === 0 || depth < options.levels;
  if (resume !== undefined && descend) {
    const inner = locate(kv, workspace.keys, owner, [...start.path, resume]);
    if (inner?.kind === "directory")
      yield* walk(workspace, kv, owner, inner, { ...onwards, ...(rest.length > 0 && { after: rest }) }, depth + 1);
  }
  for await (const item of children(workspace, kv, owner, start, options.showHidden, resume)) {
    if (options.without?.(item)) continue;
    yield item;
    if (item.isDirectory && descend) {
      const inner: Located = {
        path: item.path,
        kind: "directory",
        node: item.node,
        directory: start.node,
        ...(item.entry && { entry: item.entry }),
        ...(item.session && { session: item.session }),
      };
      yield* walk(workspace, kv, owner, inner, onwards, depth + 1);
    }
  }
}

/** The direct children of a directory behind the name `from`, sorted; directories that exist by rule and rendered files included. */
export async function* children(
  workspace: Workspace,
  kv: KvPages,
  owner: Owner,
  directory: Located,
  showHidden: boolean,
  from?: string,
): AsyncGenerator<Listed> {
  if (directory.session) {
    yield* sessionChildren(workspace, kv, directory, showHidden, from);
    return;
  }
  const extra = [...standingChildren(workspace, kv, owner, directory), ...(showHidden ? layerFiles(workspace, directory) : [])]
    .filter((item) => from === undefined || compareNames(item.name, from) > 0)
    .sort((a, b) => compareNames(a.name, b.name));
  let next = 0;
  for await (const [name, entry] of entries(workspace, kv, directory, from)) {
    while (next < extra.length && compareNames(extra[next]!.name, name) < 0) yield extra[next++]!;
    if (next < extra.length && extra[next]!.name === name) next++;
    if (showHidden || !isHidden(name)) yield listedOf(workspace, locatedAt([...directory.path, name], entry, directory.node));
  }
  while (next < extra.length) yield extra[next++]!;
}

async function* entries(workspace: Workspace, kv: KvPages, directory: Located, from?: string): AsyncGenerator<[string, Entry]> {
  // the entries of scope directories are other people's too: what the caller sees of them stands by rule
  if (directory.node === 0 || (directory.path.length < 2 && directory.path[0] !== "resources" && directory.path[0] !== "agent")) return;
  const prefix = workspace.keys.entries(directory.node);
  const all = prefixRange(prefix, PAGE);
  for (let gte = from === undefined ? all.gte : after(workspace.keys.entry(directory.node, from)); ; ) {
    const page = await kv.range({ ...all, gte });
    for (const [key, value] of page) yield [key.slice(prefix.length), decode<Entry>(value)];
    if (page.length < PAGE) return;
    gte = after(page.at(-1)![0]);
  }
}

/** Children that exist without having been made (ruling N6), as the caller sees them. */
function standingChildren(workspace: Workspace, kv: KvPages, owner: Owner, directory: Located): Listed[] {
  const names = standingNames(owner, directory.path);
  return names.flatMap((name) => {
    const path = [...directory.path, name];
    const found = locate(kv, workspace.keys, owner, path);
    return found && isStanding(owner, path) ? [listedOf(workspace, found)] : [];
  });
}

function standingNames(owner: Owner, path: Path): string[] {
  const [scope, name] = path;
  if (path.length === 0) return ["agent", "resources", "session", "user"];
  if (path.length === 1) return scope === "agent" ? [owner.agent, "skills"] : scope === "resources" ? [] : [owner.user];
  return path.length === 2 && (scope === "user" || (scope === "agent" && name !== "skills")) ? ["memories"] : [];
}

/** Visible files and directories below a place as the caller sees it (ruling F6): scope roots hold other people's spaces too, so theirs are added up from what is listed. */
export async function countBelow(workspace: Workspace, owner: Owner, directory: Located): Promise<number> {
  if (directory.path[0] === "session" && directory.path.length >= 2) return countSessions(workspace, directory);
  if (directory.path.length >= 2 || directory.path[0] === "resources") {
    const missing = standingNames(owner, directory.path).filter((name) => {
      const path = [...directory.path, name];
      return isStanding(owner, path) && !locate(workspace.kv, workspace.keys, owner, path)?.entry;
    });
    return workspace.table.below(directory.node) + missing.length;
  }
  let count = 0;
  for await (const item of children(workspace, workspace.kv, owner, directory, false)) {
    count++;
    if (item.isDirectory) count += await countBelow(workspace, owner, { ...item, kind: "directory", directory: directory.node });
  }
  return count;
}

/** What is shown below the directory of a user's sessions, a session, or a directory in one. */
async function countSessions({ kv, sessions }: Workspace, { path, session }: Located): Promise<number> {
  let count = 0;
  if (!session) for await (const { record } of sessions.of(kv, path[1]!)) count += 1 + countInSession(record);
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
