import { EventLoopYielder } from "../../base/event-loop.ts";
import type { NodeId } from "../../domain/node.ts";
import { analyse } from "../../domain/text/analyse.ts";
import { prefixRange } from "../../storage/kv.ts";
import { locate } from "../../workspace/tree/locate.ts";
import type { Utterance } from "../utterance.ts";
import { factFileOf } from "./change-fact-file.ts";
import { directoryOf } from "./choose-fact-file.ts";
import type { FactCategory, KnownStatement } from "./fact.ts";
import type { FactFile } from "./fact-file.ts";
import type { Origin } from "./persist-facts.ts";

/** Maximum number of names per category, of files read, of facts per file, and of all facts. */
const MAX_NAMES = 2000;
const MAX_FILES = 40;
const FACTS_PER_FILE = 8;
const MAX_FACTS = 120;
/** Maximum characters read from a message. */
const READ_LENGTH = 4000;

/** Categories whose facts are merged; cases are not. */
const MERGED: readonly FactCategory[] = ["profile", "preferences", "entities", "patterns"];

/**
 * Known facts about the user and the subjects of a conversation, starting with files whose names share the
 * most words with it.
 */
export async function factsOnTopicsOf(
  { workspace, owner, homes }: Origin,
  utterances: readonly Utterance[],
): Promise<KnownStatement[]> {
  const yielder = new EventLoopYielder(workspace.incarnation);
  const spoken = new Set<string>();
  for (const { text, speaker } of utterances) {
    for (const word of analyse(`${speaker} ${text.slice(0, READ_LENGTH)}`)) spoken.add(word);
    await yielder.yieldIfDue();
  }
  const files: { readonly node: NodeId; readonly shared: number }[] = [];
  for (const category of MERGED) {
    const directory = locate(workspace.kv, workspace.keys, owner, directoryOf(homes, category));
    if (!directory?.node) continue;
    const prefix = workspace.keys.entries(directory.node);
    for (const key of await workspace.kv.keys(prefixRange(prefix, MAX_NAMES))) {
      const name = key.slice(prefix.length);
      const shared = category === "profile" ? Number.POSITIVE_INFINITY : sharedWords(name, spoken);
      const node =
        shared > 0 ? locate(workspace.kv, workspace.keys, owner, [...directory.path, name])?.node : undefined;
      if (node) files.push({ node, shared });
      await yielder.yieldIfDue();
    }
  }
  files.sort((a, b) => b.shared - a.shared || a.node - b.node);
  return files
    .slice(0, MAX_FILES)
    .flatMap(({ node }) => statementsOf(factFileOf(workspace, node)))
    .slice(0, MAX_FACTS);
}

/** Maximum number of files per category, and of facts, with which the messages of a conversation are compared. */
const MAX_CURRENT_FILES = 500;
const MAX_CURRENT = 200;

/**
 * The current facts about the user and the user's people and things, latest last, without those of the archive
 * itself, from which a repeated job would draw conclusions again.
 */
export async function allCurrentFacts({
  workspace,
  owner,
  homes,
  session,
  archive,
}: Origin): Promise<KnownStatement[]> {
  const yielder = new EventLoopYielder(workspace.incarnation);
  const found: (KnownStatement & { readonly at: number })[] = [];
  for (const category of CURRENT) {
    const directory = locate(workspace.kv, workspace.keys, owner, directoryOf(homes, category));
    if (!directory?.node) continue;
    const prefix = workspace.keys.entries(directory.node);
    for (const key of await workspace.kv.keys(prefixRange(prefix, MAX_CURRENT_FILES))) {
      const path = [...directory.path, key.slice(prefix.length)];
      const node = locate(workspace.kv, workspace.keys, owner, path)?.node;
      const file = node ? factFileOf(workspace, node) : undefined;
      for (const { text, slot, date, said, sources } of file?.facts ?? []) {
        if (sources.some((one) => one.session === session && one.archive === archive)) continue;
        const at = said ?? (Date.parse(date) || 0);
        const topic = file?.topic ?? "";
        found.push({ category, topic, text, ...(slot !== undefined && { slot }), at });
      }
      await yielder.yieldIfDue();
    }
  }
  found.sort((a, b) => a.at - b.at);
  return found.slice(-MAX_CURRENT).map(({ at: _, ...known }) => known);
}

/** Categories whose facts a change may replace. */
const CURRENT: readonly FactCategory[] = ["profile", "preferences", "entities"];

const sharedWords = (name: string, spoken: ReadonlySet<string>): number =>
  analyse(name.replace(/\.md$/, "").replaceAll("-", " ")).filter((word) => spoken.has(word)).length;

function statementsOf(file: FactFile | undefined): KnownStatement[] {
  if (!file) return [];
  const { category, topic, facts } = file;
  return facts.slice(-FACTS_PER_FILE).map(({ text, slot }) => ({
    category,
    topic,
    text,
    ...(slot !== undefined && { slot }),
  }));
}
