import type { Entry, NodeId } from "../domain/node.ts";
import { isReadable } from "../domain/scope.ts";
import { textOf } from "../domain/text/decode.ts";
import type { Path } from "../domain/uri.ts";
import { pairPages, prefixRange } from "../storage/kv.ts";
import { ENTRIES } from "../workspace/records.ts";
import { locate, type Owner } from "../workspace/tree/locate.ts";
import { isOwn } from "../workspace/tree/own-path.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { factFileOf } from "./facts/change-fact-file.ts";
import { directoryOf, homesOf } from "./facts/choose-fact-file.ts";
import { type FactText, MAX_EDITED_BYTES } from "./facts/fact-file.ts";
import { readFacts } from "./facts/fact-text.ts";

/** Number of directory entries read at once. */
const PAGE = 200;

export const FACT_CATEGORIES = ["profile", "preferences", "entities", "patterns", "cases"] as const;
/** Categories of memories in list order. */
export const MEMORY_CATEGORIES = [...FACT_CATEGORIES, "events"] as const;
export type MemoryCategory = (typeof MEMORY_CATEGORIES)[number];

/** A file that contains memories. */
export interface MemoryFile {
  readonly category: MemoryCategory;
  readonly path: Path;
  readonly entry: Entry;
}

const OF_USER: readonly string[] = ["preferences", "entities", "events"];
const OF_AGENT: readonly string[] = ["cases", "patterns"];

/** The category of memories at a path; undefined for other paths. */
export function categoryAt(path: Path): MemoryCategory | undefined {
  const [scope, , memories, name = ""] = path;
  if (memories !== "memories") return undefined;
  if (scope === "user" && path.length === 4 && name === "profile.md") return "profile";
  const isNamed = scope === "user" ? OF_USER.includes(name) : scope === "agent" && OF_AGENT.includes(name);
  if (!isNamed || (name === "events" ? path.length < 5 : path.length !== 5)) return undefined;
  return MEMORY_CATEGORIES.find((category) => category === name);
}

/** An owner's memory file by node; undefined for any other file, or another owner's. */
export function memoryFile(workspace: Workspace, owner: Owner, node: NodeId): MemoryFile | undefined {
  const path = workspace.table.isReachable(node) ? workspace.pathOf(node) : undefined;
  if (!path || !isOwn(workspace, owner, node, path)) return undefined;
  // the space is shared by another user
  if (path[0] === "user" && path[1] !== owner.user) return undefined;
  const category = categoryAt(path);
  // an agent's path does not contain its owner
  const entry = locate(workspace.kv, workspace.keys, owner, path)?.entry;
  if (!category || entry?.node !== node || entry.kind !== "file") return undefined;
  // a folder that is only passed through, or a shared agent's file that is denied
  if (!isReadable(owner, path)) return undefined;
  return { category, path, entry };
}

/** The files of a category by name, from `first` on, one page in memory at a time. */
export async function* memoryFiles(
  workspace: Workspace,
  owner: Owner,
  category: MemoryCategory,
  first?: Path,
): AsyncGenerator<MemoryFile> {
  const homes = homesOf(owner);
  if (category === "profile") {
    const path = [...homes.user, "profile.md"];
    const entry = locate(workspace.kv, workspace.keys, owner, path)?.entry;
    if (entry?.kind === "file") yield { category, path, entry };
    return;
  }
  const directory = category === "events" ? [...homes.user, category] : directoryOf(homes, category);
  yield* filesBelow(workspace, owner, category, directory, first);
}

async function* filesBelow(
  workspace: Workspace,
  owner: Owner,
  category: MemoryCategory,
  directory: Path,
  first: Path | undefined,
): AsyncGenerator<MemoryFile> {
  const node = locate(workspace.kv, workspace.keys, owner, directory)?.node;
  if (!node) return;
  const prefix = workspace.keys.entries(node);
  const from = first?.[directory.length];
  const range = prefixRange(prefix, PAGE);
  for await (const page of pairPages(
    workspace.kv,
    from === undefined ? range : { ...range, gte: prefix + from },
  )) {
    for (const [key, value] of page) {
      const path = [...directory, key.slice(prefix.length)];
      const entry = ENTRIES.decode(value, key);
      if (entry.kind === "file" && categoryAt(path) === category) {
        // grants may hide files of an agent that the account shares
        if (isReadable(owner, path)) yield { category, path, entry };
      }
      if (entry.kind === "directory" && category === "events")
        yield* filesBelow(workspace, owner, category, path, path.at(-1) === from ? first : undefined);
    }
  }
}

/** Reads the facts in a file; of a large document that a user has put among memories, only the beginning. */
export async function factsIn(workspace: Workspace, { category, entry }: MemoryFile): Promise<FactText> {
  if (category === "events") throw new Error("an episode has no facts");
  const text = textOf(await beginningOf(workspace, entry)) ?? "";
  return readFacts(text, factFileOf(workspace, entry.node), category);
}

/** A user may move a file of any size here, and a list of memories must not load it as a whole. */
async function beginningOf({ contents }: Workspace, entry: Entry): Promise<Uint8Array> {
  if (entry.size <= MAX_EDITED_BYTES) return contents.read(entry);
  const parts: Uint8Array[] = [];
  for await (const part of contents.stream(entry, 0, MAX_EDITED_BYTES)) parts.push(part);
  return Buffer.concat(parts);
}
