import {
  type AccessLevel,
  afterNode,
  type GrantRule,
  includes,
  levelByScope,
  type Principal,
} from "../../domain/access.ts";
import { AGENTS, type NodeId, nodeId, RESOURCES, SKILLS, USERS } from "../../domain/node.ts";
import type { KvReader } from "../../storage/kv.ts";
import type { Keys } from "../keys.ts";
import { ENTRIES, NODE_RECORDS } from "../records.ts";
import type { NodeTable } from "../tree/node-table.ts";
import type { Sharing } from "./grants-and-groups.ts";
import type { Boundary } from "./owner-access.ts";

/** Tables of a workspace that determine access. */
export interface AccessTables {
  readonly kv: KvReader;
  readonly keys: Keys;
  readonly table: NodeTable;
  readonly sharing: Sharing;
}

/** Computes access levels in the tree for one caller. */
export class RuledTree {
  readonly #tables: AccessTables;
  readonly #who: Principal;
  readonly #agentsOf: string;
  readonly #groups: ReadonlySet<string>;
  /** Rules by node. A node derived from a file has the rules of the file. */
  readonly #rules = new Map<NodeId, readonly GrantRule[]>();

  constructor(tables: AccessTables, who: Principal, agentsOf: string) {
    this.#tables = tables;
    this.#who = who;
    this.#agentsOf = agentsOf;
    const { sharing, kv, keys } = tables;
    this.#groups = sharing.groupsOf(who);
    for (const node of sharing.nodes) {
      const rules = this.rulesOn(node);
      if (rules.length === 0) continue;
      this.#rules.set(node, rules);
      const { text, sections } = NODE_RECORDS.readShared(kv, keys.node(node))?.derived ?? {};
      if (text !== undefined) this.#rules.set(text, rules);
      if (sections !== undefined) this.#rules.set(sections, rules);
    }
  }

  rulesOn(node: NodeId): readonly GrantRule[] {
    return this.#tables.sharing.concerning(node, this.#who, this.#groups);
  }

  /** The rules on a node; those of its file for a derived node. */
  rulesOf(node: NodeId): readonly GrantRule[] {
    return this.#rules.get(node) ?? [];
  }

  /** Access level of a stored node; `none` if it is outside the tree. */
  levelOf(node: NodeId): AccessLevel {
    return this.#levelsAbove(node)?.at(-1)?.level ?? "none";
  }

  boundary(): Boundary {
    const levels = new Map<NodeId, AccessLevel>();
    const passed = new Set<NodeId>();
    const withheld = new Set<NodeId>();
    const spaces = new Set<NodeId>();
    for (const node of this.#rules.keys()) {
      if (this.#isFixed(node)) continue;
      const chain = this.#levelsAbove(node);
      const level = chain?.at(-1)?.level;
      if (!chain || level === undefined) continue;
      levels.set(node, level);
      const isRead = includes(level, "read");
      // scopes are included: everybody sees them, so their counts must not include hidden nodes
      if (!isRead) withheld.add(node);
      for (const above of chain.slice(0, -1)) {
        if (!isRead || !includes(above.level, "read")) withheld.add(above.node);
        if (isRead && !includes(above.level, "read")) passed.add(above.node);
      }
      const [top, space] = chain;
      if (isRead && top?.node === USERS && space) spaces.add(space.node);
    }
    // a folder that is only passed through contains something hidden
    for (const node of passed) for (const above of this.#chainOf(node) ?? []) withheld.add(above);
    return { levels, passed, withheld, spaces: [...spaces] };
  }

  /** Whether grants have no effect on a node: in the caller's own space, or for administrators. */
  #isFixed(node: NodeId): boolean {
    const chain = this.#chainOf(node);
    return (chain && this.#startOf(chain))?.isFixed ?? true;
  }

  /**
   * Nodes from the scope down to a node, with their access levels; undefined if grants have no effect there.
   */
  #levelsAbove(node: NodeId): { readonly node: NodeId; readonly level: AccessLevel }[] | undefined {
    const chain = this.#chainOf(node);
    const start = chain && this.#startOf(chain);
    if (!chain || !start) return undefined;
    let { level } = start;
    return chain.reverse().map((at) => {
      if (!start.isFixed) level = afterNode(level, this.#rules.get(at) ?? []);
      return { node: at, level };
    });
  }

  /** The node and its ancestors up to the scope; undefined if it is outside the tree. */
  #chainOf(node: NodeId): NodeId[] | undefined {
    const chain: NodeId[] = [];
    const tops: readonly number[] = [RESOURCES, SKILLS, USERS, AGENTS];
    for (let at: NodeId = node; at > 0; at = this.#tables.table.parentOf(at)) {
      chain.push(at);
      if (tops.includes(at)) return chain;
    }
    return undefined;
  }

  /** Access level at the top of a chain. */
  #startOf(chain: readonly NodeId[]): ReturnType<typeof levelByScope> | undefined {
    const top = chain.at(-1);
    const space = chain.at(-2);
    if (top === RESOURCES) return levelByScope(this.#who, ["resources"]);
    if (top === SKILLS) return levelByScope(this.#who, ["agent", "skills"]);
    if (space === undefined) return undefined;
    const { kv, keys } = this.#tables;
    const own = top === USERS ? this.#who.user : this.#agentsOf;
    const isOwn = ENTRIES.readShared(kv, keys.entry(nodeId(top ?? 0), own))?.node === space;
    if (top === USERS) return levelByScope(this.#who, ["user", isOwn ? own : ""]);
    return isOwn ? levelByScope(this.#who, ["agent", "+"]) : undefined;
  }
}
