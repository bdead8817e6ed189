import { EventLoopYielder } from "../../base/event-loop.ts";
import type { Path } from "../../domain/uri.ts";
import { prefixRange } from "../../storage/kv.ts";
import { locate, type Owner } from "../../workspace/tree/locate.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { changeFactFile, type FactDeps, factFileOf } from "./change-fact-file.ts";
import { directoryOf, type Homes } from "./choose-fact-file.ts";
import type { FactCategory } from "./fact.ts";
import { type FactFile, factText } from "./fact-file.ts";
import { isClear, ofKind } from "./facts-of-kind.ts";
import { type NewFact, withoutEnded, withoutKind } from "./merge-facts.ts";

/** Categories whose facts a change may replace. */
const CATEGORIES: readonly FactCategory[] = ["profile", "preferences", "entities"];
/** Maximum number of files per category that are searched for replaced facts. */
const MAX_FILES = 500;

/** Location of a user's facts. */
export interface FactHome {
  readonly workspace: Workspace;
  readonly owner: Owner;
  readonly homes: Homes;
}

/**
 * Supersedes the facts that changes replace in other files: after "we use Linear now", the fact about Trello
 * in the file of that topic. Edited files stay as they are.
 */
export async function supersedeInOtherFiles(
  deps: FactDeps,
  home: FactHome,
  changes: readonly NewFact[],
  signal: AbortSignal,
): Promise<void> {
  if (changes.every(({ replaces, ends }) => replaces === undefined && ends === undefined)) return;
  const { workspace, owner } = home;
  const hits = await hitsOf(home);
  const files = hits.map(({ file }) => file);
  const clear = changes.filter(({ replaces }) => replaces !== undefined && isClear(replaces, files));
  for (const { path } of hits) {
    signal.throwIfAborted();
    await changeFactFile(
      deps,
      { workspace, owner, path },
      {
        isBeyondQuota: true,
        decide: ({ known, text }) => {
          if (known === undefined || text === undefined || factText(known) !== text) return undefined;
          let file = known;
          for (const { replaces, ends: _, ...by } of clear)
            if (replaces !== undefined) file = withoutKind(file, replaces, by);
          for (const { replaces: _, ends, ...by } of changes)
            if (ends !== undefined) file = withoutEnded(file, ends, by);
          return file === known ? undefined : { file, text: factText(file) };
        },
      },
    );
  }

  /** The fact files with a current fact of a replaced kind. */
  async function hitsOf({ homes }: FactHome): Promise<{ readonly path: Path; readonly file: FactFile }[]> {
    const yielder = new EventLoopYielder(workspace.incarnation);
    const found: { readonly path: Path; readonly file: FactFile }[] = [];
    for (const category of CATEGORIES) {
      const directory = locate(workspace.kv, workspace.keys, owner, directoryOf(homes, category));
      if (!directory?.node) continue;
      const prefix = workspace.keys.entries(directory.node);
      for (const key of await workspace.kv.keys(prefixRange(prefix, MAX_FILES))) {
        const path = [...directory.path, key.slice(prefix.length)];
        const node = locate(workspace.kv, workspace.keys, owner, path)?.node;
        const file = node ? factFileOf(workspace, node) : undefined;
        const isHit = changes.some(
          ({ replaces, ends }) =>
            file &&
            ((replaces !== undefined && ofKind(replaces, file.facts).length > 0) ||
              file.facts.some(({ text }) => ends?.includes(text))),
        );
        if (file && isHit) found.push({ path, file });
        await yielder.yieldIfDue();
      }
    }
    return found;
  }
}
