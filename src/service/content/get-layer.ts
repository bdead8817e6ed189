import { EventLoopYielder } from "../../base/event-loop.ts";
import { itemAt, lastOf } from "../../base/expect.ts";
import { failedPrecondition, invalidArgument, type ServiceError } from "../../domain/errors.ts";
import { compileGlob } from "../../domain/patterns/glob.ts";
import { READ_ABSTRACTS, readChildren } from "../../enrich/directory/children.ts";
import { cutOverview, groupOverviewSteps, relistedSteps } from "../../enrich/directory/overview-within.ts";
import { groupsIn } from "../../enrich/directory/topics.ts";
import { children } from "../../workspace/tree/listing.ts";
import { mustLocate } from "../../workspace/tree/locate.ts";
import { layerAt, renderedAt } from "../../workspace/tree/rendered.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { visiblePath } from "../visible-path.ts";

const SHOWN_CHILDREN = 100;

const MIN_TOKEN_BUDGET = 50;
const MAX_TOKEN_BUDGET = 16_000;
/**
 * Maximum number of children whose abstracts are read for a response, and minimum tokens of a child's line.
 */
const MAX_READ_ABSTRACTS = 2_000;
const MIN_LINE_TOKENS = 4;

/** Maximum length of `group` in characters. */
const MAX_GROUP_LENGTH = 200;
/** Maximum number of groups named in an error. */
const NAMED_GROUPS = 20;

/**
 * GET content/overview of a file or directory. With a budget of estimated tokens, a directory lists as many
 * children as fit, and a file is cut at a line end. With a group, a directory lists only the children of that
 * group. Throws FAILED_PRECONDITION until a job has created the overview.
 */
export async function getOverview(
  deps: Deps,
  call: ServiceCall,
  input: {
    readonly uri: string;
    readonly tokenBudget?: number | undefined;
    readonly group?: string | undefined;
  },
): Promise<string> {
  const { tokenBudget: tokens, group } = input;
  if (group !== undefined && (group === "" || group.length > MAX_GROUP_LENGTH))
    throw invalidArgument("group", `must have 1 to ${MAX_GROUP_LENGTH} characters`);
  if (tokens !== undefined && (tokens < MIN_TOKEN_BUDGET || tokens > MAX_TOKEN_BUDGET))
    throw invalidArgument("token_budget", `must be ${MIN_TOKEN_BUDGET} to ${MAX_TOKEN_BUDGET}`);
  const overview = await getLayer(deps, call, 1, input);
  if (tokens === undefined && group === undefined) return overview;
  const { workspace, owner } = await deps.tenants.openOrEmpty(call.caller);
  const path = workspace.uris.parse(input.uri);
  const { entry, session } = mustLocate(workspace.kv, workspace.keys, owner, path, input.uri);
  const isWhole = entry && (owner.access?.showsLayers(entry.node) ?? true);
  const directory = entry?.kind === "directory" && session === undefined && isWhole ? entry : undefined;
  const yielder = new EventLoopYielder(workspace.incarnation);
  if (group !== undefined) {
    const isWanted = membersOf(directory && overview, group);
    const held =
      directory && (await readChildren(workspace, directory.node, directory, READ_ABSTRACTS, isWanted));
    if (held === undefined || held.count === 0) throw noSuchGroup(directory && overview);
    return yielder.through(groupOverviewSteps(`${lastOf(path)}: ${group}`, held, tokens));
  }
  if (tokens === undefined) return overview;
  if (directory === undefined) return cutOverview(overview, tokens);
  const abstracts = Math.min(MAX_READ_ABSTRACTS, Math.ceil(tokens / MIN_LINE_TOKENS));
  const held = await readChildren(workspace, directory.node, directory, abstracts);
  return yielder.through(relistedSteps(overview, held, tokens));
}

/**
 * A test for the names in a group of a directory's overview, or for a pattern of names such as `ticket-*`.
 */
function membersOf(overview = "", group: string): (name: string) => boolean {
  if (group.includes("*")) return compileGlob(group, "group");
  const words = group.replace(/^about /, "").replace(/ \([\d,]+\):?$/, "");
  const names = new Set(groupsIn(overview).get(words));
  return (name) => names.has(name);
}

function noSuchGroup(overview = ""): ServiceError {
  const groups = [...groupsIn(overview).keys()].slice(0, NAMED_GROUPS);
  const named = groups.length === 0 ? "none" : groups.map((words) => `"${words}"`).join("; ");
  return invalidArgument(
    "group",
    `no such group, and no entry of that pattern; groups of the overview: ${named}`,
  );
}

interface Deps {
  readonly tenants: Tenants;
}

/**
 * GET content/abstract (level 0) and stored content/overview (level 1) of a file or directory. Throws
 * FAILED_PRECONDITION until a job has created the layer.
 */
export async function getLayer(
  deps: Deps,
  call: ServiceCall,
  level: 0 | 1,
  input: { readonly uri: string },
): Promise<string> {
  const { workspace, owner, path, uri } = await visiblePath(deps, call, input.uri);
  // files in a session are rendered from records; the layers of its directories describe them
  if (path[0] === "session" && renderedAt(workspace, owner, path)) return lastOf(path);
  const located = mustLocate(workspace.kv, workspace.keys, owner, path, uri);
  const layer = layerAt(workspace, owner, located, level);
  if (layer !== undefined) return layer;
  if (located.kind === "file" || located.session?.kind === "archive") throw notYet(uri, level);
  // scope roots and empty directories have no layers, and some layers would reveal hidden nodes: use names
  // instead
  const names: string[] = [];
  for await (const item of children(workspace, workspace.kv, owner, located, false))
    if (names.push(item.name) > SHOWN_CHILDREN) break;
  const name = path.at(-1) ?? "everything";
  if (names.length === 0) return name;
  const isMade = owner.access?.showsLayers(located.node) ?? true;
  if (isMade && path.length >= 2 && located.entry && !["user", "agent", "session"].includes(itemAt(path, 0)))
    throw notYet(uri, level);
  const shown = names.slice(0, SHOWN_CHILDREN);
  return level === 0
    ? `${name}: ${shown.slice(0, 10).join(", ")}`
    : [`# ${name}`, "", ...shown.map((child) => `- ${child}`)].join("\n");
}

const notYet = (uri: string, level: 0 | 1) =>
  failedPrecondition(
    uri,
    `its ${level === 0 ? "abstract" : "overview"} is not ready yet: wait for the semantic queue with system/wait, or try again later`,
  );
