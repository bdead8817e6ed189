/**
 * Loaded before a server (--import): takes away one of the protections against a server that goes on after
 * another one has taken its workspaces, or that against a copy of a state that a restore has undone. The check of
 * a cluster's history must find what such a build does.
 * CLUSTER_MUTANT names the protection.
 */
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

const MUTANTS = {
  // the store writes whatever the turn and version are; the log of changes would refuse a version that exists
  "no-fence": {
    file: "/dist/src/storage/postgres/committer.js",
    replaced: [
      [" AND w.turn = want.turn AND w.version = want.version - 1", ""],
      [
        "GROUP BY fence.incarnation, fence.version, fence.after)",
        "GROUP BY fence.incarnation, fence.version, fence.after ON CONFLICT DO NOTHING)",
      ],
    ],
  },
  // a server answers from its copy until the store has told it that its lease is over
  "no-lease-check": {
    file: "/dist/src/storage/postgres/membership.js",
    replaced: [
      ["if (!isSure)", "if (false)"],
      ["return isSure;", "return true;"],
    ],
  },
  // a copy counts as a former state of the store if its version is not newer
  "no-ids": {
    file: "/dist/src/storage/postgres/shared-owner.js",
    replaced: [
      [" && present.written === state.written", ""],
      [' || (found.after ?? "") !== written', ""],
    ],
  },
};

if (isMainThread) register(import.meta.url);

/** @type {import("node:module").LoadHook} */
export async function load(url, context, next) {
  const loaded = await next(url, context);
  const { file, replaced } = MUTANTS[process.env.CLUSTER_MUTANT];
  if (!url.endsWith(file)) return loaded;
  let source = String(loaded.source);
  for (const [line, other] of replaced) {
    if (source.split(line).length !== 2)
      throw new Error(`${file} does not have ${JSON.stringify(line)} once`);
    source = source.replace(line, other);
  }
  return { ...loaded, source };
}
