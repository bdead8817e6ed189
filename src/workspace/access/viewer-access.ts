import {
  type AccessLevel,
  afterNode,
  afterRule,
  includes,
  inOrder,
  levelByScope,
  lower,
  type Principal,
} from "../../domain/access.ts";
import { notFound, permissionDenied } from "../../domain/errors.ts";
import { FIRST_FREE_NODE, type NodeId, RESOURCES, SKILLS, TRASH } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import type { KvReader } from "../../storage/kv.ts";
import { ENTRIES, NODE_RECORDS } from "../records.ts";
import { trashItemOf } from "../trash/item-of.ts";
import { anchor, type Owner } from "../tree/locate.ts";
import type { AccessStep, Boundary, FormerPlace, OwnerAccess, RuledNode } from "./owner-access.ts";
import type { Grant } from "./records.ts";
import { type AccessTables, RuledTree } from "./ruled-tree.ts";

type Reader = Pick<KvReader, "get">;

/** A check on which a change depends. */
interface Needed {
  readonly path: Path;
  readonly uri: string;
  readonly level: "write" | "admin";
  /** Whether the check ignores nodes below. */
  readonly isAlone?: boolean;
}

const NO_NODES: ReadonlySet<NodeId> = new Set();

interface Known {
  readonly revision: number;
  readonly sequence: number;
  readonly tree: RuledTree;
  readonly boundary: Boundary;
  /** By node: the ruled nodes at and below it; created on first use. */
  ruledWithin?: ReadonlyMap<NodeId, readonly NodeId[]>;
  /** By level: nodes that have a lower level themselves or below them; created on first use. */
  readonly lessWithin: Map<AccessLevel, ReadonlySet<NodeId>>;
}

/**
 * The access of one caller in a workspace, from the scopes and the current grants; decided only here. Reads
 * nothing if the workspace has no grants.
 */
export class ViewerAccess implements OwnerAccess {
  readonly #tables: AccessTables;
  readonly #who: Principal;
  readonly #owner: Pick<Owner, "agentsOf">;
  /** Checks by URI, on which changes of this call depend. */
  readonly #needed = new Map<string, Needed>();
  #known: Known | undefined;

  constructor(tables: AccessTables, who: Principal, owner: Pick<Owner, "agentsOf">) {
    this.#tables = tables;
    this.#who = who;
    this.#owner = owner;
  }

  /** Access level of a path, or of its nearest existing folder if nothing exists there. */
  levelAt(path: Path, reader: Reader = this.#tables.kv): AccessLevel {
    const start = levelByScope(this.#who, path);
    if (start.isFixed || !this.#tables.sharing.isUsed) return this.#shown(start.level, path);
    const { tree, boundary } = this.#current();
    let level = start.level;
    for (const { ruled } of this.nodesAlong(path, reader)) level = afterNode(level, tree.rulesOn(ruled));
    if (!includes(level, "read") && boundary.passed.size > 0) {
      const node = this.#nodeAt(path, reader);
      if (node !== undefined && boundary.passed.has(node)) return "pass";
    }
    return this.#shown(level, path);
  }

  /** Whether any node at or below a node, visible or not, has a lower level than `than`. */
  holdsLess(node: NodeId, than: AccessLevel): boolean {
    if (!this.#tables.sharing.isUsed) return false;
    const { lessWithin, boundary } = this.#current();
    const less = lessWithin.get(than) ?? this.#lessWithin(boundary, than);
    lessWithin.set(than, less);
    return less.has(node);
  }

  /** Refuses to copy or export a node if the caller cannot read everything below it. */
  checkWhole(path: Path, uri: string, node: NodeId): void {
    if (!includes(this.levelAt(path), "read") || this.holdsLess(node, "read"))
      throw permissionDenied(uri, "it contains files or folders that you may not read");
  }

  /** Throws if the caller lacks the level. The check is repeated when a change that depends on it commits. */
  check(path: Path, uri: string, level: "write" | "admin"): void {
    this.#needed.set(`${level} ${uri}`, { path, uri, level });
    this.#checkNow({ path, uri, level }, this.#tables.kv);
  }

  checkAlone(path: Path, uri: string): void {
    const needed: Needed = { path, uri, level: "write", isAlone: true };
    this.#needed.set(`alone ${uri}`, needed);
    this.#checkNow(needed, this.#tables.kv);
  }

  /** Repeats the checks; called at the commit point. */
  recheck(reader: Reader): void {
    if (!this.#tables.sharing.isUsed && this.#known === undefined) return;
    // checks of one call read the same folders again and again, and this runs without a yield
    const known = new Map<string, Uint8Array | undefined>();
    const get = (key: string) => {
      if (!known.has(key)) known.set(key, reader.get(key));
      return known.get(key);
    };
    for (const needed of this.#needed.values()) this.#checkNow(needed, { get });
  }

  /** Whether a node's abstract and overview may be shown; they reveal everything below it. */
  showsLayers(node: NodeId): boolean {
    return !this.#tables.sharing.isUsed || !this.#current().boundary.withheld.has(node);
  }

  get passed(): ReadonlySet<NodeId> {
    return this.#tables.sharing.isUsed ? this.#current().boundary.passed : NO_NODES;
  }

  seesPast(place: FormerPlace): boolean {
    return includes(this.levelPast(place), "read");
  }

  levelPast(place: FormerPlace): AccessLevel {
    return this.#levelsPast(place)(place.node);
  }

  /**
   * Returns a function for the access levels of a node at a former place and of nodes below it. Their common
   * part is computed once, because hundreds of nodes may have grants.
   */
  #levelsPast(place: FormerPlace): (node: NodeId) => AccessLevel {
    const { path } = place;
    const level = this.levelAt(path);
    const start = levelByScope(this.#who, path);
    if (start.isFixed) return () => level;
    const { table } = this.#tables;
    const isRemoved = !place.folders && table.isInTrash(place.node);
    const item = isRemoved ? trashItemOf(this.#tables, place.node) : undefined;
    const { folders, isGuarded } = item ?? place;
    if (isGuarded) return () => "none";
    if (!this.#tables.sharing.isUsed && !folders) return () => level;
    // the record does not say which folders may have hidden it at that time
    const lacksFolders = item ? !folders : (place.lacksFolders ?? false);
    const present = lacksFolders ? this.#nodeAt(path, this.#tables.kv) : undefined;
    const { tree } = this.#current();
    const below = (top: AccessLevel, nodes: readonly NodeId[]) =>
      nodes.reduceRight((from, removed) => afterNode(from, tree.rulesOf(removed)), top);
    // the folders of that time may have another path today
    const above = folders && (this.#levelOfFolders(folders) ?? start.level);
    return (node) => {
      if (lacksFolders && present !== node) return "none";
      const chain: NodeId[] = [];
      let at = node;
      for (; at >= FIRST_FREE_NODE; at = table.parentOf(at)) chain.push(at);
      const isInTree = at > 0 && at !== TRASH;
      // a node in the tree has the level of its path
      const now = isInTree ? level : below(level, chain);
      return above === undefined ? now : lower(now, below(above, isInTree ? [node] : chain));
    };
  }

  leastPast(place: FormerPlace): AccessLevel {
    const levelOf = this.#levelsPast(place);
    let least = levelOf(place.node);
    if (!this.#tables.sharing.isUsed || levelByScope(this.#who, place.path).isFixed) return least;
    const known = this.#current();
    known.ruledWithin ??= this.#ruledWithin();
    for (const node of known.ruledWithin.get(place.node) ?? []) least = lower(least, levelOf(node));
    return least;
  }

  /** Access level of the innermost folder that is not purged; undefined if all are purged. */
  #levelOfFolders(folders: readonly NodeId[]): AccessLevel | undefined {
    const { kv, keys, table } = this.#tables;
    const folder = folders.findLast((one) => NODE_RECORDS.readShared(kv, keys.node(one)) !== undefined);
    if (folder === undefined) return undefined;
    const item = table.isInTrash(folder) ? trashItemOf(this.#tables, folder) : undefined;
    return item ? this.levelPast({ ...item, node: folder }) : this.#current().tree.levelOf(folder);
  }

  /**
   * A filter for the listed children of a folder; undefined if all are listed. `source`: the file from which
   * the child is derived.
   */
  childFilter(folder: Path, node: NodeId): ((child: NodeId, source?: NodeId) => boolean) | undefined {
    const { sharing, table } = this.#tables;
    if (!sharing.hasBeenUsed) return undefined;
    const start = levelByScope(this.#who, folder);
    if (start.isFixed && folder.length > 1) return undefined;
    const { tree, boundary } = this.#current();
    const { levels, passed } = boundary;
    const isReadable = (at: NodeId) => includes(tree.levelOf(at), "read");
    // scopes that contain spaces have no grants of their own, but `resources` may have some
    const isSpaces = folder.length === 1 && folder[0] !== "resources";
    const inherits = isSpaces || isReadable(node);
    return (child, source) => {
      const own = levels.get(child) ?? (source === undefined ? undefined : levels.get(source));
      if (own !== undefined) return includes(own, "read") || passed.has(child);
      // the list may be older than the tree: a node that was moved meanwhile has the level of its new place
      return (table.parentOf(child) === node ? inherits : isReadable(child)) || passed.has(child);
    };
  }

  stillReads(path: Path, node: NodeId): boolean {
    const start = levelByScope(this.#who, path);
    if (start.isFixed || !this.#tables.sharing.hasBeenUsed) return includes(start.level, "read");
    return includes(this.#current().tree.levelOf(node), "read");
  }

  /** The grants on a node that apply to the caller. */
  grantsTo(node: NodeId): readonly Grant[] {
    const { sharing } = this.#tables;
    return sharing.concerning(node, this.#who, sharing.groupsOf(this.#who));
  }

  /**
   * The existing nodes of a path, from the scope down, with the node whose grants apply (for a derived node,
   * its file).
   */
  nodesAlong(path: Path, reader: Reader = this.#tables.kv): readonly RuledNode[] {
    const { base, names } = anchor(this.#owner, path);
    const depth = path.length - names.length;
    const found: RuledNode[] = [];
    if (base === RESOURCES || base === SKILLS)
      found.push({ node: base, ruled: base, path: path.slice(0, depth) });
    let node = base;
    let source: NodeId | undefined;
    for (const [i, name] of names.entries()) {
      const entry = ENTRIES.readShared(reader, this.#tables.keys.entry(node, name));
      if (!entry) break;
      node = entry.node;
      const ruled = entry.source !== undefined && entry.source !== source ? entry.source : node;
      source = entry.source;
      found.push({ node, ruled, path: path.slice(0, depth + i + 1) });
    }
    return found;
  }

  /** The rules that lead to the access level of a path, in order. */
  explain(path: Path): { readonly level: AccessLevel; readonly steps: readonly AccessStep[] } {
    const start = levelByScope(this.#who, path);
    const isAgents = path[0] === "agent" && path[1] !== "skills" && !this.#who.sharesAgents;
    const isOwn = path[0] === "user" || path[0] === "session" || isAgents;
    const source = !start.isFixed || start.level !== "admin" ? "scope" : isOwn ? "owner" : "role";
    const scope = path.slice(0, path[0] === "resources" ? 1 : 2);
    const steps: AccessStep[] = [{ path: scope, source, level: start.level }];
    let { level } = start;
    for (const { ruled, path: at } of start.isFixed ? [] : this.nodesAlong(path))
      for (const grant of inOrder(this.grantsTo(ruled))) {
        level = afterRule(level, grant);
        steps.push({ path: at, source: "grant", grant, level });
      }
    return { level: this.levelAt(path), steps };
  }

  /** Name and node of other users' spaces in which the caller can see something. */
  foreignSpaces(): { readonly name: string; readonly node: NodeId }[] {
    if (!this.#tables.sharing.isUsed) return [];
    const { kv, keys } = this.#tables;
    return this.#current().boundary.spaces.flatMap((node) => {
      const name = NODE_RECORDS.readShared(kv, keys.node(node))?.name;
      return name === undefined ? [] : [{ name, node }];
    });
  }

  /** What searches may see of their targets; undefined if grants have no effect. */
  searchLimits(): Boundary | undefined {
    if (!this.#tables.sharing.isUsed) return undefined;
    const { boundary } = this.#current();
    return boundary.levels.size === 0 ? undefined : boundary;
  }

  #checkNow({ path, uri, level, isAlone }: Needed, reader: Reader): void {
    // the other scopes contain spaces, which other rules protect
    if (isAlone && path.length < 2 && path[0] !== "resources") return;
    const found = this.levelAt(path, reader);
    if (!includes(found, "pass")) throw notFound("resource", uri);
    if (!includes(found, level))
      throw permissionDenied(uri, `you have ${SHOWN[found]} access; ${level} access is required`);
    if (isAlone || level !== "write" || !this.#tables.sharing.isUsed) return;
    const node = this.#nodeAt(path, reader);
    if (node !== undefined && this.holdsLess(node, level))
      throw permissionDenied(uri, "it contains files or folders that you may not write");
  }

  #nodeAt(path: Path, reader: Reader): NodeId | undefined {
    const { base, names } = anchor(this.#owner, path);
    if (names.length === 0) return base;
    const last = this.nodesAlong(path, reader).at(-1);
    return last?.path.length === path.length ? last.node : undefined;
  }

  /** Scope folders are visible to everybody. */
  #shown(level: AccessLevel, path: Path): AccessLevel {
    return path.length === 1 && level === "none" ? "pass" : level;
  }

  #ruledWithin(): ReadonlyMap<NodeId, readonly NodeId[]> {
    const { sharing, table } = this.#tables;
    const within = new Map<NodeId, NodeId[]>();
    for (const ruled of sharing.nodes)
      for (let at = ruled; at > 0; at = table.parentOf(at)) {
        const others = within.get(at);
        if (others) others.push(ruled);
        else within.set(at, [ruled]);
      }
    return within;
  }

  #lessWithin({ levels }: Boundary, than: AccessLevel): ReadonlySet<NodeId> {
    const { table } = this.#tables;
    const less = new Set<NodeId>();
    for (const [inner, level] of levels)
      if (!includes(level, than))
        for (let at = inner; at > 0 && !less.has(at); at = table.parentOf(at)) less.add(at);
    return less;
  }

  /** Recomputed when grants or the tree have changed. */
  #current(): Known {
    const { sharing, table } = this.#tables;
    const { revision } = sharing;
    const { sequence } = table;
    const known = this.#known;
    if (known && known.revision === revision && known.sequence === sequence) return known;
    const tree = new RuledTree(this.#tables, this.#who, this.#owner.agentsOf);
    const made = { revision, sequence, tree, boundary: tree.boundary(), lessWithin: new Map() };
    this.#known = made;
    return made;
  }
}

const SHOWN = { none: "no", pass: "no", read: "read", write: "write", admin: "admin" } as const;
