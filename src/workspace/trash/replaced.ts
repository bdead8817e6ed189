import { lastOf } from "../../base/expect.ts";
import { type Entry, NO_NODE, type NodeId } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import { anchor, foldersOf, type Owner } from "../tree/locate.ts";
import { makeDirectory, newDirectory, type PendingCleanup, unlink } from "../tree/tree.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import { hasTrash, newItem, putIn } from "./trash.ts";

/**
 * Maximum number of nodes that an import moves to the trash; further ones are removed permanently, because
 * all must fit into one transaction.
 */
const MAX_REPLACED = 20_000;

/**
 * Collects what an import removes from its directory as one item in the trash: a copy of the folders, with
 * the removed files and folders in them, so that all can be restored to their paths. Folders with grants get
 * an item of their own, because copies have no grants.
 */
export class ReplacedByImport {
  readonly #draft: WorkspaceDraft;
  readonly #workspace: Workspace;
  readonly #owner: Owner;
  readonly #root: Path;
  readonly #folders = new Map<string, NodeId>();
  /** By folder: the top folder of the item to which it belongs. */
  readonly #tops = new Map<string, Path>();
  #count = 0;

  constructor(draft: WorkspaceDraft, workspace: Workspace, owner: Owner, root: Path) {
    this.#draft = draft;
    this.#workspace = workspace;
    this.#owner = owner;
    this.#root = root;
  }

  /** `path`: path of the entry. */
  takeOut(path: Path, directory: NodeId, name: string, entry: Entry): PendingCleanup {
    const into = this.#folder(path.slice(0, -1));
    if (into === undefined) return unlink(this.#draft, this.#workspace, directory, name, entry);
    putIn(this.#draft, this.#workspace, into, { directory, name, entry });
    return { purge: [], stale: [directory] };
  }

  /** The folder for a path in its item; undefined if the item is full. */
  #folder(path: Path): NodeId | undefined {
    if (!hasTrash(this.#workspace, this.#root) || ++this.#count > MAX_REPLACED) return undefined;
    const top = this.#topOf(path);
    let at = this.#folders.get(top.join("/")) ?? this.#begin(top);
    if (at === NO_NODE) return undefined;
    for (let depth = top.length + 1; depth <= path.length; depth++) {
      const key = path.slice(0, depth).join("/");
      const known = this.#folders.get(key);
      at = known ?? makeDirectory(this.#draft, this.#workspace, at, lastOf(path.slice(0, depth))).node;
      this.#folders.set(key, at);
    }
    return at;
  }

  /** The innermost folder with grants at or above a path, or the root. */
  #topOf(path: Path): Path {
    const { sharing } = this.#workspace;
    if (!sharing.isUsed) return this.#root;
    const key = path.join("/");
    const known = this.#tops.get(key);
    if (known) return known;
    const folders = foldersOf(this.#draft, this.#draft.keys, this.#owner, [...path, ""]);
    const above = path.length - anchor(this.#owner, path).names.length;
    const last = folders.findLastIndex((folder) => sharing.on(folder).length > 0);
    const top = path.slice(0, Math.max(this.#root.length, above + last + 1));
    this.#tops.set(key, top);
    return top;
  }

  /** The folder that corresponds to the top of an item; NO_NODE if the trash cannot accept it. */
  #begin(path: Path): NodeId {
    const draft = this.#draft;
    const folder = newDirectory(draft, this.#workspace);
    const about = { node: folder.node, kind: "directory", path, cause: "import" } as const;
    const item = newItem(draft, this.#workspace, this.#owner, about);
    const node = item === undefined ? NO_NODE : folder.node;
    this.#folders.set(path.join("/"), node);
    if (item === undefined) return node;
    draft.putEntry(item, lastOf(path), folder, {});
    draft.trash ??= "large";
    return node;
  }
}
