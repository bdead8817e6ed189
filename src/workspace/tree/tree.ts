import { append } from "../../base/append.ts";
import { lastOf, present } from "../../base/expect.ts";
import { alreadyExists, failedPrecondition, invalidArgument, notFound } from "../../domain/errors.ts";
import {
  AGENTS,
  type Derived,
  type Entry,
  NO_NODE,
  type NodeId,
  type NodeRecord,
  nodeId,
  USERS,
} from "../../domain/node.ts";
import { isVisible } from "../../domain/scope.ts";
import { sectionsName, textName } from "../../domain/text/names.ts";
import { isInside, type Path } from "../../domain/uri.ts";
import { text } from "../../storage/record-codec.ts";
import { noteGone } from "../relations/ends.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import type { BuiltNode } from "./builder.ts";
import { checkLevels } from "./depth-and-length.ts";
import { dropLayers, dropTexts } from "./layers.ts";
import { anchor, entryOf, type Located, locate, type Owner, partitionOwner } from "./locate.ts";
import { inheritTags } from "./node-tags.ts";
import { dropRevealingLayers } from "./revealing-layers.ts";
import { isKept, keepVersion } from "./versions.ts";

/**
 * Follow-up work of a tree change: removed entries whose records must be purged, and directories with
 * outdated layers.
 */
export interface PendingCleanup {
  readonly purge: Entry[];
  readonly stale: NodeId[];
}

/** Refuses direct changes of derived nodes. */
export function checkNotDerived(workspace: Workspace, entry: Entry | undefined, uri: string): void {
  if (entry?.source !== undefined)
    throw failedPrecondition(
      uri,
      `it is derived from ${workspace.uriOf(entry.source) ?? "a file"}: change that file instead`,
    );
}

/**
 * The directory at a path, created with its parents if missing. Throws FAILED_PRECONDITION if a file or a
 * derived directory is in the way, NOT_FOUND for another user's path.
 */
export function ensureDirectory(
  draft: WorkspaceDraft,
  workspace: Workspace,
  owner: Owner,
  path: Path,
  uri: string,
  made: Pick<Entry, "unindexed" | "session"> = {},
): NodeId {
  if (!isVisible(owner, path)) throw notFound("resource", uri);
  const { base, names } = anchor(owner, path);
  let directory = base;
  for (const name of names) {
    const entry = draft.entry(directory, name);
    if (entry?.kind === "file") throw failedPrecondition(uri, `${name} in its path is a file, not a folder`);
    checkNotDerived(workspace, entry, uri);
    directory = entry?.node ?? makeDirectory(draft, workspace, directory, name, made).node;
  }
  return directory;
}

export function makeDirectory(
  draft: WorkspaceDraft,
  workspace: Workspace,
  directory: NodeId,
  name: string,
  made: Pick<Entry, "unindexed" | "session"> = {},
): Entry {
  const entry: Entry = { ...newDirectory(draft, workspace), ...made };
  draft.putEntry(directory, name, entry, {});
  return entry;
}

/** The entry of a new directory, which the transaction must still link. */
export function newDirectory(draft: WorkspaceDraft, workspace: Workspace): Entry {
  const now = workspace.clock();
  return {
    node: nodeId(workspace.nodes.take(draft)),
    kind: "directory",
    generation: workspace.generations.take(draft),
    size: 0,
    created: now,
    modified: now,
  };
}

/** PendingCleanup with the linked entry. */
export interface Linked extends PendingCleanup {
  readonly entry: Entry;
}

/** Removes an entry with its derived nodes from a directory, permanently or to the trash. */
export type TakeOut = (directory: NodeId, name: string, entry: Entry) => PendingCleanup;

export interface LinkOptions {
  readonly meta?: NodeRecord["meta"];
  /** How to remove another node with this name; permanently by default. */
  readonly takeOut?: TakeOut | undefined;
  /** Whether the records of a replaced generation are left to the purge, for changes of many files. */
  readonly dropLater?: boolean;
}

/**
 * Makes a built file or directory visible as `name`. Another node with this name is removed with its derived
 * nodes. A file's replaced content is stored as a version (versions.ts). The directory is not marked as
 * stale, because its layers are rebuilt after those of its files.
 */
export function attachNode(
  draft: WorkspaceDraft,
  workspace: Workspace,
  directory: NodeId,
  name: string,
  built: BuiltNode,
  { meta, dropLater, takeOut = removing(draft, workspace) }: LinkOptions = {},
): Linked {
  const cleanup: PendingCleanup = { purge: [], stale: [] };
  const before = draft.entry(directory, name);
  const entry = linkedEntry(draft, workspace, directory, before, built.entry);
  if (before && before.node !== built.entry.node)
    append(cleanup.purge, takeOut(directory, name, before).purge);
  else if (before) {
    unlinkDerived(draft, workspace, before, cleanup);
    if (dropLater) cleanup.purge.push(before);
    else dropGeneration(draft, workspace, before);
  }
  const derived = linkDerived(draft, directory, name, {
    text: built.text?.entry,
    sections: built.sections?.entry,
  });
  for (const part of [built.text, built.sections]) if (part) inheritTags(draft, entry.node, part.entry);
  draft.putEntry(directory, name, entry, { ...(meta && { meta }), ...(derived && { derived }) });
  return { ...cleanup, entry };
}

/** A built entry with the permanent properties of the entry it replaces, if both are of the same node. */
function linkedEntry(
  draft: WorkspaceDraft,
  workspace: Workspace,
  directory: NodeId,
  before: Entry | undefined,
  built: Entry,
): Entry {
  if (before?.node !== built.node) return built;
  const entry = built.kind === "file" ? keepVersion(draft, workspace, directory, before, built) : built;
  return before.related ? { ...entry, related: true } : entry;
}

/** Links the nodes derived from a file under names next to it. */
function linkDerived(
  draft: WorkspaceDraft,
  directory: NodeId,
  name: string,
  parts: { text?: Entry | undefined; sections?: Entry | undefined },
): Derived | undefined {
  const isTaken = (other: string) => other === name || isTakenIn(draft, directory, other);
  if (parts.text) draft.putEntry(directory, textName(name, isTaken), parts.text, {});
  if (parts.sections) draft.putEntry(directory, sectionsName(name, isTaken), parts.sections, {});
  if (!parts.text && !parts.sections) return undefined;
  return {
    ...(parts.text && { text: parts.text.node }),
    ...(parts.sections && { sections: parts.sections.node }),
  };
}

/** Whether a name is in use, by an entry or an implicit directory. */
function isTakenIn(draft: WorkspaceDraft, directory: NodeId, name: string): boolean {
  if (draft.entry(directory, name)) return true;
  const above = draft.node(directory)?.directory ?? NO_NODE;
  return name === "memories" && (above === USERS || draft.node(above)?.directory === AGENTS);
}

/** Renames a derived node to free its name for another file. */
export function renameDerivedAside(
  draft: WorkspaceDraft,
  directory: NodeId,
  name: string,
  entry: Entry,
): void {
  const origin = entry.source === undefined ? undefined : draft.node(entry.source);
  if (!origin) throw new Error(`node ${entry.node} is marked as derived, but has no source`);
  const isTaken = (other: string) => isTakenIn(draft, directory, other);
  const free = entry.kind === "file" ? textName(origin.name, isTaken) : sectionsName(origin.name, isTaken);
  draft.detachEntry(directory, name, entry.node);
  draft.putEntry(directory, free, entry, {});
}

/** A TakeOut that removes permanently. */
const removing =
  (draft: WorkspaceDraft, workspace: Workspace): TakeOut =>
  (directory, name, entry) =>
    unlink(draft, workspace, directory, name, entry);

/** Removes an entry and its derived nodes; their records are purged later. */
export function unlink(
  draft: WorkspaceDraft,
  workspace: Workspace,
  directory: NodeId,
  name: string,
  entry: Entry,
): PendingCleanup {
  const cleanup: PendingCleanup = { purge: [entry], stale: [directory] };
  unlinkDerived(draft, workspace, entry, cleanup);
  noteGone(draft, workspace, directory, name, entry);
  dropRevealingLayers(draft, workspace, directory, entry.node);
  draft.deleteEntry(directory, name, entry);
  return cleanup;
}

function unlinkDerived(
  draft: WorkspaceDraft,
  workspace: Workspace,
  entry: Entry,
  cleanup: PendingCleanup,
): void {
  for (const { entry: derived, record } of derivedOf(draft, entry)) {
    noteGone(draft, workspace, record.directory, record.name, derived);
    draft.deleteEntry(record.directory, record.name, derived);
    cleanup.purge.push(derived);
  }
}

export function derivedOf(draft: WorkspaceDraft, entry: Entry): { entry: Entry; record: NodeRecord }[] {
  if (entry.kind === "directory") return [];
  const { text, sections } = draft.node(entry.node)?.derived ?? {};
  return [text, sections].flatMap((node) => {
    const record = node === undefined ? undefined : draft.node(node);
    const derived = record && draft.entry(record.directory, record.name);
    return record && derived && derived.node === node ? [{ entry: derived, record }] : [];
  });
}

/**
 * Removes the layers and chunks of one generation of a node, and its content unless it is stored as a
 * version.
 */
export function dropGeneration(draft: WorkspaceDraft, workspace: Workspace, entry: Entry): void {
  if (entry.kind === "file" && isKept(draft, entry)) dropLayers(draft, entry.node, entry.generation);
  else dropTexts(draft, workspace, entry.node, entry.generation);
  if (entry.chunks) draft.dropChunks(entry.chunks);
}

/** Gives a directory a permanent L0; its overview, and the chunks of both, are left to a job. */
export function describe(
  draft: WorkspaceDraft,
  workspace: Workspace,
  directory: NodeId,
  name: string,
  entry: Entry,
  abstract: string,
): void {
  const known = draft.get(draft.keys.layer(entry.node, entry.generation, 0));
  if (entry.described && known && text(known) === abstract) return;
  const { chunks: _, layered: __, ...kept } = entry;
  dropGeneration(draft, workspace, entry);
  const generation = workspace.generations.take(draft);
  draft.put(draft.keys.layer(entry.node, generation, 0), Buffer.from(abstract));
  draft.updateEntry(directory, name, { ...kept, generation, described: true });
}

export type Replaces = "nothing" | "same kind" | "any kind";

export interface Move {
  readonly from: Path;
  readonly to: Path;
  readonly fromUri: string;
  readonly toUri: string;
  /**
   * Partitions of the owners at both paths, so that searches at the new path find chunks that remain in the
   * old partition.
   */
  readonly fromPartition: number;
  readonly toPartition: number;
  /** Which node at `to` may be replaced; default: one of the same kind. */
  readonly replaces?: Replaces | undefined;
  /** How to remove a node at `to`; permanently by default. */
  readonly takeOut?: TakeOut | undefined;
}

/** Moves a file or directory of any size in one step. */
export function move(
  draft: WorkspaceDraft,
  workspace: Workspace,
  owner: Owner,
  { takeOut = removing(draft, workspace), ...change }: Move,
): PendingCleanup {
  const { from, to, fromUri, toUri, fromPartition, toPartition, replaces = "same kind" } = change;
  const source = locate(draft, workspace.keys, owner, from);
  if (!source) throw notFound("resource", fromUri);
  if (!source.entry)
    throw failedPrecondition(fromUri, "this folder is created by the server and cannot be moved");
  checkNotDerived(workspace, source.entry, fromUri);
  if (fromUri === toUri) return { purge: [], stale: [] };
  if (isInside(to, from)) throw invalidArgument("to_uri", "a folder cannot be moved into itself");
  if (isInside(from, to)) throw invalidArgument("to_uri", "must not be a folder that contains the source");
  checkLevels(workspace.table, { node: source.entry.node, from, to });
  const target = locate(draft, workspace.keys, owner, to);
  const cleanup: PendingCleanup = { purge: [], stale: [source.directory] };
  if (target?.entry && replaces === "nothing") throw alreadyExists("resource", toUri);
  if (target && target.kind !== source.kind && !(target.entry && replaces === "any kind"))
    throw failedPrecondition(toUri, `a ${source.kind} cannot replace a ${target.kind}`);
  if (target) append(cleanup.purge, replaceTarget(workspace, target, toUri, takeOut));
  const directory = ensureDirectory(draft, workspace, owner, to.slice(0, -1), toUri);
  if (directory !== source.directory) cleanup.stale.push(directory);
  dropRevealingLayers(draft, workspace, source.directory, source.entry.node);
  relocate(draft, source.directory, entryOf(source), directory, lastOf(to));
  // only its owner shares a space, so the former owner's grants are dropped
  if (partitionOwner(owner, from) !== partitionOwner(owner, to))
    workspace.sharing.dropBelow(draft, source.entry.node, workspace.table);
  // a hidden path stays hidden: editors save by moving a new file over the old one
  if (target?.entry)
    workspace.sharing.carryDenied(draft, target.entry.node, source.entry.node, workspace.table);
  workspace.index.addForeignPartition(draft, toPartition, fromPartition);
  return cleanup;
}

/** Returns the removed nodes to purge. */
function replaceTarget(workspace: Workspace, target: Located, toUri: string, takeOut: TakeOut): Entry[] {
  if (!target.entry) return [];
  checkNotDerived(workspace, target.entry, toUri);
  return takeOut(target.directory, lastOf(target.path), target.entry).purge;
}

/** Moves a node and its derived nodes by rewriting their entries; the nodes themselves do not change. */
export function relocate(
  draft: WorkspaceDraft,
  from: NodeId,
  entry: Entry,
  directory: NodeId,
  name: string,
): void {
  const { directory: _, name: before, ...record } = present(draft.node(entry.node), "record of the node");
  const parts = derivedOf(draft, entry);
  draft.detachEntry(from, before, entry.node);
  for (const part of parts) draft.detachEntry(part.record.directory, part.record.name, part.entry.node);
  linkDerived(draft, directory, name, {
    text: parts.find((part) => part.entry.node === record.derived?.text)?.entry,
    sections: parts.find((part) => part.entry.node === record.derived?.sections)?.entry,
  });
  draft.putEntry(directory, name, entry, record);
}
