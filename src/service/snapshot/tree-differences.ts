import { compareNames, isAtOrInside, type Path } from "../../domain/uri.ts";
import type { SnapshotPlace, SnapshotReader } from "../../workspace/snapshots/snapshot-reader.ts";

/** A path that differs between two trees. If a folder is only in one of them, its contents are not listed. */
export interface TreeDifference {
  readonly path: Path;
  readonly before: SnapshotPlace | undefined;
  readonly after: SnapshotPlace | undefined;
}

/** Two trees to compare. */
export interface Sides {
  readonly before: SnapshotReader;
  readonly after: SnapshotReader;
}

/** The differences at and below a path, in pre-order. `resume`: skip paths up to and including this one. */
export async function* treeDifferences(
  sides: Sides,
  path: Path,
  resume?: Path,
): AsyncGenerator<TreeDifference> {
  const before = await sides.before.find(path);
  const after = await sides.after.find(path);
  if (!before && !after) return;
  const isResumed = resume !== undefined && isAtOrInside(resume, path);
  if (!before || !after || before.kind !== after.kind) {
    if (!isResumed) yield { path, before, after };
  } else if (before.kind === "directory")
    yield* inFolders(sides, before, after, isResumed ? resume.slice(path.length) : []);
  else if (!isResumed && !isSame(before, after)) yield { path, before, after };
}

async function* inFolders(
  sides: Sides,
  before: SnapshotPlace,
  after: SnapshotPlace,
  [name, ...rest]: Path,
): AsyncGenerator<TreeDifference> {
  const isSameFolder = before.node === after.node && sides.after.isPresent;
  const found = isSameFolder
    ? sides.before.changes(before, sides.after, after, name)
    : pairs(sides, before, after, name);
  for await (const { was, is } of found) {
    const path = was?.path ?? is?.path ?? [];
    const isResumed = name !== undefined && path.at(-1) === name;
    if (was?.kind === "directory" && is?.kind === "directory")
      yield* inFolders(sides, was, is, isResumed ? rest : []);
    else if (!isResumed && !isSame(was, is)) yield { path, before: was, after: is };
  }
}

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
function isSame(was: SnapshotPlace | undefined, is: SnapshotPlace | undefined): boolean {
  if (!was?.entry || !is?.entry || was.kind !== is.kind) return false;
  if (was.node === is.node && was.entry.generation === is.entry.generation) return true;
  return was.entry.hash !== undefined && was.entry.hash === is.entry.hash;
}
