import { compareNames, isAtOrInside, type Path } from "../../domain/uri.ts";
import type { SnapshotPlace } from "../../workspace/snapshots/snapshot-reader.ts";
import type { MovedNodes, NodeMove, States } from "./moved-nodes.ts";

/** A path that differs between two trees. If a folder is only in one of them, its contents are not listed. */
export interface TreeDifference {
  readonly path: Path;
  /** At another path if it, or a folder above it, was moved. */
  readonly before: SnapshotPlace | undefined;
  readonly after: SnapshotPlace | undefined;
}

/** Two trees to compare. */
export interface Sides extends States {
  /** If absent, a moved node is reported as removed and added. */
  readonly moves?: MovedNodes | undefined;
}

/**
 * The two paths of a moved folder, listed separately: removed contents at the former, all others at the
 * later.
 */
type End = "former" | "later";

/** The differences at and below a path, in pre-order. `resume`: skip paths up to and including this one. */
export async function* treeDifferences(
  sides: Sides,
  path: Path,
  resume?: Path,
): AsyncGenerator<TreeDifference> {
  const [was, is] = [await sides.before.find(path), await sides.after.find(path)];
  const isResumed = resume !== undefined && isAtOrInside(resume, path);
  if (was || is)
    yield* between(sides, { was, is }, undefined, isResumed ? resume.slice(path.length) : undefined);
}

/**
 * The differences at and below a pair. `resume`: path relative to the pair at which to resume; the pair
 * itself is then skipped.
 */
async function* between(
  sides: Sides,
  { was, is }: Pair,
  end: End | undefined,
  resume: Path | undefined,
): AsyncGenerator<TreeDifference> {
  const away = was && was.node !== is?.node ? await sides.moves?.from(was) : undefined;
  if (away) {
    const there = is && end !== "former" ? arrived(sides, is, resume) : nothing();
    const left = end === "later" ? nothing() : below(sides, away, "former", resume);
    yield* inOrder(there, left);
  } else if (was && is) yield* changed(sides, { was, is }, end, resume);
  else if (was && end !== "later" && !resume) yield { path: was.path, before: was, after: undefined };
  else if (is && end !== "former") yield* arrived(sides, is, resume);
}

async function* changed(
  sides: Sides,
  { was, is }: NodeMove,
  end: End | undefined,
  resume: Path | undefined,
): AsyncGenerator<TreeDifference> {
  if (was.kind === "directory" && is.kind === "directory") yield* below(sides, { was, is }, end, resume);
  else if (end !== "former") {
    if (!resume && !isSame(was, is)) yield { path: is.path, before: was, after: is };
    if (is.kind === "directory") yield* arrivedBelow(sides, is, resume);
  }
}

/** A node at a path where nothing was: moved there, or new. */
async function* arrived(
  sides: Sides,
  is: SnapshotPlace,
  resume: Path | undefined,
): AsyncGenerator<TreeDifference> {
  const move = await sides.moves?.to(is);
  if (!resume) yield { path: is.path, before: move?.was, after: is };
  if (is.kind !== "directory") return;
  if (move) yield* below(sides, move, "later", resume);
  else yield* arrivedBelow(sides, is, resume);
}

/** Nodes that were moved into a new folder; its other contents are not listed. */
async function* arrivedBelow(
  sides: Sides,
  folder: SnapshotPlace,
  [name, ...rest]: Path = [],
): AsyncGenerator<TreeDifference> {
  if (!(await sides.moves?.isHolder(folder.node))) return;
  for await (const is of sides.after.children(folder, name)) {
    const resume = name !== undefined && is.path.at(-1) === name ? rest : undefined;
    if (await sides.moves?.to(is)) yield* arrived(sides, is, resume);
    else if (is.kind === "directory") yield* arrivedBelow(sides, is, resume);
  }
}

async function* below(
  sides: Sides,
  { was: before, is: after }: NodeMove,
  end: End | undefined,
  [name, ...rest]: Path = [],
): AsyncGenerator<TreeDifference> {
  if (before.kind !== "directory" || after.kind !== "directory") return;
  const isSameFolder = before.node === after.node && sides.after.isPresent;
  const found = isSameFolder
    ? sides.before.changes(before, sides.after, after, name)
    : pairs(sides, before, after, name);
  for await (const pair of found) {
    const isResumed = name !== undefined && (pair.was ?? pair.is)?.path.at(-1) === name;
    yield* between(sides, pair, end, isResumed ? rest : undefined);
  }
}

/** Merges two lists of differences, each in pre-order. */
async function* inOrder(
  first: AsyncGenerator<TreeDifference>,
  second: AsyncGenerator<TreeDifference>,
): AsyncGenerator<TreeDifference> {
  let [a, b] = [await first.next(), await second.next()];
  while (!a.done || !b.done) {
    const isFirst = b.done || (!a.done && comparePaths(a.value.path, b.value.path) <= 0);
    if (isFirst && !a.done) {
      yield a.value;
      a = await first.next();
    } else if (!b.done) {
      yield b.value;
      b = await second.next();
    }
  }
}

function comparePaths(a: Path, b: Path): number {
  for (const [at, name] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const order = compareNames(name, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

async function* nothing(): AsyncGenerator<TreeDifference> {}

interface Pair {
  readonly was: SnapshotPlace | undefined;
  readonly is: SnapshotPlace | undefined;
}

/** Entries of two folders by name, starting at a name. */
async function* pairs(
  sides: Sides,
  before: SnapshotPlace,
  after: SnapshotPlace,
  from: string | undefined,
): AsyncGenerator<Pair> {
  const [old, now] = [sides.before.children(before, from), sides.after.children(after, from)];
  let [a, b] = [await old.next(), await now.next()];
  while (!a.done || !b.done) {
    const order = a.done ? 1 : b.done ? -1 : compareNames(nameOf(a.value), nameOf(b.value));
    const was = order <= 0 && !a.done ? a.value : undefined;
    const is = order >= 0 && !b.done ? b.value : undefined;
    yield { was, is };
    if (was) a = await old.next();
    if (is) b = await now.next();
  }
}

const nameOf = ({ path }: SnapshotPlace): string => path.at(-1) ?? "";

/** Whether both are files with equal content. */
export function isSame(was: SnapshotPlace | undefined, is: SnapshotPlace | undefined): boolean {
  if (!was?.entry || !is?.entry || was.kind !== is.kind) return false;
  if (was.node === is.node && was.entry.generation === is.entry.generation) return true;
  return was.entry.hash !== undefined && was.entry.hash === is.entry.hash;
}
