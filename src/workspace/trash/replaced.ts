import { lastOf } from "../../base/expect.ts";
import { type Entry, NO_NODE, type NodeId } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import type { WorkspaceDraft } from "../draft.ts";
import type { Owner } from "../tree/locate.ts";
import { makeDirectory, newDirectory, type PendingCleanup, unlink } from "../tree/tree.ts";
import type { Workspace } from "../workspace.ts";
import { hasTrash, newItem, putIn } from "./trash.ts";

/**
 * Maximum number of nodes that an import moves to the trash; further ones are removed permanently, because
 * all must fit into one transaction.
 */
const MAX_REPLACED = 20_000;

/**
 * Collects what an import removes from its directory as one item in the trash: a copy of the folders, with
 * the removed files and folders in them, so that all can be restored to their paths.
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

  /** The folder for a path in the item; undefined if the item is full. */
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

  /** The folder that corresponds to the import's root; NO_NODE if the trash cannot accept it. */
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
