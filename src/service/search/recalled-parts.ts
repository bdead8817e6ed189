import type { NodeId } from "../../domain/node.ts";
import { isReadable } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { NumberedPart } from "../../workspace/sessions/recalled.ts";
import { locate, type Owner } from "../../workspace/tree/locate.ts";
import { isOwn } from "../../workspace/tree/own-path.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { TimeAndOriginLimits } from "./time-and-origin-masks.ts";

/** The parts whose nodes still exist, and whose texts the owner may still read. */
export function partsThere(
  workspace: Workspace,
  owner: Owner,
  parts: readonly NumberedPart[],
): NumberedPart[] {
  const paths = new Map<NodeId, Path>();
  return parts.filter(([, { node }]) => isThere(workspace, owner, node, paths));
}

/**
 * The parts that an admission still allows. A part with facts is dropped if any of its lines is excluded;
 * facts that were superseded meanwhile remain.
 */
export async function admittedParts(
  workspace: Workspace,
  admission: TimeAndOriginLimits | undefined,
  parts: readonly NumberedPart[],
): Promise<NumberedPart[]> {
  if (!admission) return [...parts];
  const paths = new Map<NodeId, Path>();
  const admitted: NumberedPart[] = [];
  for (const part of parts) {
    const [, { node, text }] = part;
    const path = workspace.pathOf(node, paths);
    const entry = path && workspace.entryOf(node)?.entry;
    const narrowed = entry && (await admission.narrow(path, entry, true));
    if (narrowed && (narrowed.text === undefined || hasOnly(text, narrowed.text.split("\n"))))
      admitted.push(part);
  }
  return admitted;
}

/** Whether a part's text, without its heading, consists only of these lines; the last may be cut. */
function hasOnly(text: string, lines: readonly string[]): boolean {
  const shown = text.trim().split("\n").slice(1);
  const all = new Set(lines);
  return shown.every(
    (line, i) => all.has(line) || (i === shown.length - 1 && lines.some((one) => one.startsWith(line))),
  );
}

/**
 * Whether a node is still reachable for this owner, and shows its text: a part about a folder is from its
 * layers, which tell of everything in it.
 */
function isThere(workspace: Workspace, owner: Owner, node: NodeId, paths: Map<NodeId, Path>): boolean {
  const path = workspace.pathOf(node, paths);
  if (path === undefined || !isOwn(workspace, owner, node, path) || !isReadable(owner, path)) return false;
  const found = locate(workspace.kv, workspace.keys, owner, path);
  if (found?.node !== node) return false;
  return found.kind === "file" || (owner.access?.showsLayers(node) ?? true);
}
