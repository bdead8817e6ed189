import { lastOf } from "../../base/expect.ts";
import { type Entry, NO_NODE, type NodeId } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import type { WorkspaceDraft } from "../draft.ts";
import type { Owner } from "../tree/locate.ts";
import { makeDirectory, newDirectory, type PendingCleanup, unlink } from "../tree/tree.ts";
import type { Workspace } from "../workspace.ts";
import { hasTrash, newItem, putIn } from "./trash.ts";

/** Nodes that one import moves to the trash; more are removed for good, since they must fit in one change. */
const MAX_REPLACED = 20_000;

/**
 * What an import takes out of its directory, as one item of the trash: a copy of the folders with the removed
 * files and folders in them, so that all of them can be put back where they were.
 */
export class ReplacedByImport {
  readonly #draft: WorkspaceDraft;
  readonly #workspace: Workspace;
  readonly #owner: Owner;
  readonly #root: Path;
  readonly #folders = new Map<string, NodeId>();
  #count = 0;

  constructor(draft: WorkspaceDraft, workspace: Workspace, owner: Owner, root: Path) {
    this.#draft = draft;
    this.#workspace = workspace;
    this.#owner = owner;
    this.#root = root;
  }

  /** `path`: that of the entry. */
  takeOut(path: Path, directory: NodeId, name: string, entry: Entry): PendingCleanup {
    const into = this.#folder(path.slice(0, -1));
    if (into === undefined) return unlink(this.#draft, this.#workspace, directory, name, entry);
    putIn(this.#draft, this.#workspace, into, { directory, name, entry });
    return { purge: [], stale: [directory] };
  }

  /** The folder of a path in the item; undefined if nothing more is kept. */
  #folder(path: Path): NodeId | undefined {
    if (!hasTrash(this.#workspace, this.#root) || ++this.#count > MAX_REPLACED) return undefined;
    const root = this.#folders.get("") ?? this.#begin();
    if (root === NO_NODE) return undefined;
    let at = root;
    for (let depth = this.#root.length + 1; depth <= path.length; depth++) {
      const key = path.slice(this.#root.length, depth).join("/");
      const known = this.#folders.get(key);
      at = known ?? makeDirectory(this.#draft, this.#workspace, at, lastOf(path.slice(0, depth))).node;
      this.#folders.set(key, at);
    }
    return at;
  }

  /** The folder that stands for the root of the import; NO_NODE if the trash takes nothing. */
  #begin(): NodeId {
    const draft = this.#draft;
    const folder = newDirectory(draft, this.#workspace);
    const about = { node: folder.node, kind: "directory", path: this.#root, cause: "import" } as const;
    const item = newItem(draft, this.#workspace, this.#owner, about);
    if (item === undefined) {
      this.#folders.set("", NO_NODE);
      return NO_NODE;
    }
    draft.putEntry(item, lastOf(this.#root), folder, {});
    draft.trash ??= "large";
    this.#folders.set("", folder.node);
    return folder.node;
  }
}
