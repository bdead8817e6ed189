import type { KeyedLock } from "../../base/concurrency/keyed-lock.ts";
import { concerns, GRANT_LEVELS, type Grantee, type Principal } from "../../domain/access.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { UserIncarnation } from "../../domain/ids.ts";
import { type Author, type NodeId, nodeId } from "../../domain/node.ts";
import { type Kv, pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { granteeOfKey, type Keys } from "../keys.ts";
import type { NodeTable } from "../tree/node-table.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import { GRANTS, GROUPS, type Grant, type GroupRecord, granteeKey, grantOf, recordOf } from "./records.ts";

const PAGE = 500;

/** The parents of nodes, in memory. */
type Parents = Pick<NodeTable, "parentOf">;

/** Runs a change that reads groups or grants before it writes. Such changes run one at a time. */
export const alone = <T>({ locks }: { readonly locks: KeyedLock }, change: () => Promise<T>): Promise<T> =>
  locks.run("sharing", change);

/**
 * Limits of one account. They bound the memory of the table and the work of a check. A user may give up to
 * `grantsOfUser`; all users together leave `grantsOfAdministrators`, so that administrators can always deny.
 */
export const SHARING_LIMITS = {
  grants: 2000,
  grantsOfUser: 500,
  grantsOfAdministrators: 200,
  groups: 200,
  members: 1000,
} as const;

/**
 * The groups and grants of a workspace in memory, derived from their records. Changes that read the table
 * before they write must run one at a time (`alone`).
 */
export class Sharing {
  /** Increases with every change. */
  revision = 0;
  readonly #keys: Keys;
  readonly #grants = new Map<NodeId, readonly Grant[]>();
  readonly #groups = new Map<string, GroupRecord>();
  /**
   * Cached nodes for `isDeniedWithin`, for one revision of the grants and one sequence number of the tree.
   */
  #denied:
    | { readonly revision: number; readonly sequence: number; readonly nodes: ReadonlySet<NodeId> }
    | undefined;

  constructor(keys: Keys) {
    this.#keys = keys;
  }

  /** Loads the records; called once. */
  async open(kv: Kv): Promise<void> {
    for await (const page of pairPages(kv, prefixRange(this.#keys.allGrants(), PAGE)))
      for (const [key, value] of page) {
        const [node, grantee] = granteeOfKey(this.#keys, key);
        this.#fold(node, grantOf(grantee, GRANTS.decode(value, key)));
      }
    for await (const page of pairPages(kv, prefixRange(this.#keys.group(""), PAGE)))
      for (const [key, value] of page)
        this.#groups.set(key.slice(this.#keys.group("").length), GROUPS.decode(value, key));
  }

  /** Whether any grant exists; otherwise only the scopes decide. */
  get isUsed(): boolean {
    return this.#grants.size > 0;
  }

  /**
   * Whether any grant or group has existed since the workspace was opened. For readers of a snapshot: a
   * removed node has lost its grants, but is still in the snapshot.
   */
  get hasBeenUsed(): boolean {
    return this.revision > 0;
  }

  get grantCount(): number {
    let count = 0;
    for (const grants of this.#grants.values()) count += grants.length;
    return count;
  }

  /** Number of grants given by an author. */
  grantsBy(author: Author): number {
    let count = 0;
    for (const grants of this.#grants.values()) for (const { by } of grants) if (by === author) count++;
    return count;
  }

  on(node: NodeId): readonly Grant[] {
    return this.#grants.get(node) ?? [];
  }

  /** All nodes with grants. */
  get nodes(): Iterable<NodeId> {
    return this.#grants.keys();
  }

  /** Groups by name. */
  get groups(): ReadonlyMap<string, GroupRecord> {
    return this.#groups;
  }

  /** Names of the groups of a user. */
  groupsOf({ user, userIncarnation }: Pick<Principal, "user" | "userIncarnation">): ReadonlySet<string> {
    const names = new Set<string>();
    if (userIncarnation === undefined) return names;
    for (const [name, { members }] of this.#groups)
      if (Object.hasOwn(members, user) && members[user] === userIncarnation) names.add(name);
    return names;
  }

  /** Writes a grant; replaces an existing one to the same grantee. */
  put(draft: WorkspaceDraft, node: NodeId, grant: Grant): void {
    draft.put(this.#keys.grant(node, granteeKey(grant.to)), encodeRecord(recordOf(grant)));
    draft.onDurable(() => this.#fold(node, grant));
  }

  drop(draft: WorkspaceDraft, node: NodeId, to: Grantee): void {
    const gone = granteeKey(to);
    draft.delete(this.#keys.grant(node, gone));
    draft.onDurable(() => {
      const left = this.on(node).filter((grant) => granteeKey(grant.to) !== gone);
      if (left.length > 0) this.#grants.set(node, left);
      else this.#grants.delete(node);
      this.revision++;
    });
  }

  /** Removes the grants on a node that is removed, or moved to where they do not apply. */
  dropNode(draft: WorkspaceDraft, node: NodeId): void {
    for (const { to } of this.on(node)) this.drop(draft, node, to);
  }

  /** Removes the grants on a node and everything below it. */
  dropBelow(draft: WorkspaceDraft, top: NodeId, table: Parents): void {
    for (const node of this.#grants.keys())
      for (let at = node; at > 0; at = table.parentOf(at)) if (at === top) this.dropNode(draft, node);
  }

  /**
   * Copies the grants on a node and everything below it to the nodes with the same relative paths below its
   * replacement. The old grants are removed with their nodes, which may stay in the trash. Throws
   * RESOURCE_EXHAUSTED if there would be too many.
   */
  carryOver(draft: WorkspaceDraft, from: NodeId, to: NodeId, table: Parents): void {
    let copies = 0;
    for (const [node, heir] of this.#heirs(draft, from, to, table))
      copies += this.copy(draft, node, heir, copies);
  }

  /** Like `carryOver`, but copies only denials, for a replacement that has grants of its own. */
  carryDenied(draft: WorkspaceDraft, from: NodeId, to: NodeId, table: Parents): void {
    let copies = 0;
    for (const [node, heir] of this.#heirs(draft, from, to, table))
      copies += this.keepDenied(draft, node, heir, copies);
  }

  /** The nodes with grants at or below `from`, each with the node at the same relative path below `to`. */
  *#heirs(
    draft: WorkspaceDraft,
    from: NodeId,
    to: NodeId,
    table: Parents,
  ): Generator<readonly [NodeId, NodeId]> {
    const heirs = new Map<NodeId, NodeId | undefined>([[from, to]]);
    // reads names only below `from`, each only once, because this runs without a yield
    const heirOf = (node: NodeId): NodeId | undefined => {
      if (heirs.has(node)) return heirs.get(node);
      const parent = table.parentOf(node);
      const above = parent > 0 ? heirOf(parent) : undefined;
      const record = above === undefined ? undefined : draft.node(node);
      const heir = above && record?.directory === parent ? draft.entry(above, record.name)?.node : undefined;
      heirs.set(node, heir);
      return heir;
    };
    for (const node of this.#grants.keys()) {
      const heir = heirOf(node);
      if (heir !== undefined) yield [node, heir];
    }
  }

  /**
   * Copies the grants of a replaced node, or only those that `isCopied` selects, to its replacement; returns
   * their number. `copies`: number of grants that the transaction has already copied. Throws
   * RESOURCE_EXHAUSTED if there would be too many.
   */
  copy(
    draft: WorkspaceDraft,
    from: NodeId,
    to: NodeId,
    copies: number,
    isCopied: (grant: Grant) => boolean = () => true,
  ): number {
    const copied = this.on(from).filter(isCopied);
    if (copied.length > 0) this.#checkRoom(copies + copied.length);
    for (const grant of copied) this.put(draft, to, grant);
    return copied.length;
  }

  /**
   * Copies to a node the denials on the node that had its path before, so that a hidden path stays hidden;
   * returns their number. A denial on the node itself remains if it is at least as strict. `copies`: see
   * `copy`.
   */
  keepDenied(draft: WorkspaceDraft, from: NodeId, to: NodeId, copies: number): number {
    if (from === to) return 0;
    return this.copy(draft, from, to, copies, (grant) => {
      if (grant.effect !== "deny") return false;
      const own = GRANTS.read(draft, this.#keys.grant(to, granteeKey(grant.to)));
      return own?.effect !== "deny" || !isAsStrict(own, grant);
    });
  }

  /** Replaced nodes keep their grants in the trash, so the copies of repeated replacements add up. */
  #checkRoom(more: number): void {
    const limit = SHARING_LIMITS.grants - SHARING_LIMITS.grantsOfAdministrators;
    const used = this.grantCount;
    if (used + more <= limit) return;
    const reason = `it has ${used} grants, also in the trash, and ${more} more are copied: empty the trash`;
    const details = { resource: "account", reason, unit: "grants", used, more, limit };
    throw new ServiceError("RESOURCE_EXHAUSTED", `account: ${reason}`, details);
  }

  putGroup(draft: WorkspaceDraft, name: string, group: GroupRecord): void {
    draft.put(this.#keys.group(name), encodeRecord(group));
    draft.onDurable(() => {
      this.#groups.set(name, group);
      this.revision++;
    });
  }

  /** Removes a group and the grants to it. */
  dropGroup(draft: WorkspaceDraft, name: string): void {
    this.#dropWhere(draft, ({ to }) => to.kind === "group" && to.name === name);
    draft.delete(this.#keys.group(name));
    draft.onDurable(() => {
      this.#groups.delete(name);
      this.revision++;
    });
  }

  /** Removes a user from groups and grants. */
  dropUser(draft: WorkspaceDraft, user: string): void {
    this.#dropWhere(draft, ({ to }) => to.kind === "user" && to.name === user);
    for (const [name, group] of this.#groups) {
      if (!Object.hasOwn(group.members, user)) continue;
      this.putGroup(draft, name, { ...group, members: withoutMember(group.members, user) });
    }
  }

  /** The grants on a node that apply to a principal. */
  concerning(node: NodeId, who: Principal, groups: ReadonlySet<string>): readonly Grant[] {
    return this.on(node).filter(({ to }) => concerns(to, who, groups));
  }

  /**
   * Nodes at or below removed ones that a grant hides from somebody; undefined if there are none. Valid until
   * the nodes are purged.
   */
  hiddenBelow(removed: ReadonlySet<NodeId>, table: Parents): Pick<ReadonlySet<number>, "has"> | undefined {
    const tops = new Set<number>();
    for (const node of this.#grants.keys()) {
      if (!this.#deniesRead(node)) continue;
      for (let at = node; at > 0; at = table.parentOf(at)) if (removed.has(at)) tops.add(node);
    }
    if (tops.size === 0) return undefined;
    return {
      has: (changed) => {
        for (let at = nodeId(changed); at > 0; at = table.parentOf(at)) if (tops.has(at)) return true;
        return false;
      },
    };
  }

  /** Whether a grant on a node or below it denies somebody read access. */
  isDeniedWithin(node: NodeId, table: Pick<NodeTable, "parentOf" | "sequence">): boolean {
    if (!this.isUsed) return false;
    const { revision } = this;
    const { sequence } = table;
    if (this.#denied?.revision !== revision || this.#denied.sequence !== sequence) {
      const nodes = new Set<NodeId>();
      for (const ruled of this.#grants.keys())
        if (this.#deniesRead(ruled))
          for (let at = ruled; at > 0 && !nodes.has(at); at = table.parentOf(at)) nodes.add(at);
      this.#denied = { revision, sequence, nodes };
    }
    return this.#denied.nodes.has(node);
  }

  /** Whether a grant on a node or its ancestors denies somebody read access. */
  hidesFromSome(node: NodeId, table: Parents): boolean {
    for (let at = node; at > 0; at = table.parentOf(at)) if (this.#deniesRead(at)) return true;
    return false;
  }

  #deniesRead(node: NodeId): boolean {
    return this.on(node).some(({ effect, level }) => effect === "deny" && level === "read");
  }

  #dropWhere(draft: WorkspaceDraft, isGone: (grant: Grant) => boolean): void {
    for (const [node, grants] of this.#grants)
      for (const grant of grants) if (isGone(grant)) this.drop(draft, node, grant.to);
  }

  #fold(node: NodeId, grant: Grant): void {
    const others = this.on(node).filter(({ to }) => granteeKey(to) !== granteeKey(grant.to));
    this.#grants.set(node, [...others, grant]);
    this.revision++;
  }
}

/** Whether a denial is at least as strict as another: denying a level denies the higher ones, too. */
const isAsStrict = (one: Pick<Grant, "level">, other: Pick<Grant, "level">): boolean =>
  GRANT_LEVELS.indexOf(one.level) <= GRANT_LEVELS.indexOf(other.level);

export const withoutMember = (
  members: GroupRecord["members"],
  user: string,
): Record<string, UserIncarnation> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => name !== user));
