import { NO_NODE, type NodeId, nodeId, SKILLS } from "../domain/node.ts";
import { SKILL_FILE } from "../domain/skill.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { childLists } from "./ranking/children.ts";
import type { DocumentPart, NodeColumns } from "./view.ts";

/**
 * Maximum number of children of a directory that represents one document (an original, its text and its
 * sections).
 */
const MAX_FORMS = 3;
/** Maximum number of nodes cached between two changes of the tree. */
const MAX_KEPT = 50_000;

interface Known {
  sequence: number;
  readonly parts: Map<NodeId, DocumentPart>;
  /** Source file of each directory; 0 if none. */
  readonly sources: Map<NodeId, NodeId>;
}

/** Valid for all searches until the tree changes. */
const known = new WeakMap<NodeColumns, Known>();

/**
 * Maps a node to its document: a skill with all its files; a file with its derived text and sections; a
 * directory that contains only one document counts as that document. Any other node is a document by itself.
 */
export function documentLookup(workspace: Workspace): (node: NodeId) => DocumentPart {
  const { table } = workspace;
  const kept = known.get(table) ?? { sequence: table.sequence, parts: new Map(), sources: new Map() };
  known.set(table, kept);
  if (kept.sequence !== table.sequence || kept.parts.size + kept.sources.size > MAX_KEPT) {
    kept.sequence = table.sequence;
    kept.parts.clear();
    kept.sources.clear();
  }
  return partOf;

  function partOf(node: NodeId): DocumentPart {
    const before = kept.parts.get(node);
    if (before) return before;
    const part = skillPart(node) ?? (table.isDirectory[node] === 1 ? directoryPart(node) : filePart(node));
    kept.parts.set(node, part);
    return part;
  }

  function skillPart(node: NodeId): DocumentPart | undefined {
    let skill = node;
    while (skill > 0 && table.parent[skill] !== SKILLS) skill = table.parentOf(skill);
    if (!(skill > 0)) return undefined;
    const isWhole =
      node === skill || (table.parent[node] === skill && workspace.entryOf(node)?.record.name === SKILL_FILE);
    return { document: skill, isWhole };
  }

  function filePart(node: NodeId): DocumentPart {
    const section = sourceAbove(table.parentOf(node));
    if (section > 0) return { document: section, isWhole: false };
    return { document: table.sourceOf(node) || node, isWhole: true };
  }

  function directoryPart(node: NodeId): DocumentPart {
    const source = sourceAbove(node);
    if (source > 0)
      return {
        document: source,
        isWhole: table.sourceOf(node) === source && sourceAbove(table.parentOf(node)) === 0,
      };
    let document = NO_NODE;
    if (table.children(node) > MAX_FORMS) return { document: node, isWhole: true };
    const { first, next } = childLists(table);
    for (let child = first[node] ?? -1; child >= 0; child = next[child] ?? -1) {
      const { document: held } = partOf(nodeId(child));
      if (document !== 0 && held !== document) return { document: node, isWhole: true };
      document = held;
    }
    return { document: document === 0 ? node : document, isWhole: true };
  }

  /** The source file of a directory or of one of its ancestors; 0 if there is none. */
  function sourceAbove(directory: NodeId): NodeId {
    if (!(directory > 0)) return NO_NODE;
    const before = kept.sources.get(directory);
    if (before !== undefined) return before;
    const source = table.sourceOf(directory) || sourceAbove(table.parentOf(directory));
    kept.sources.set(directory, source);
    return source;
  }
}
