import { describe, expect, it } from "vitest";
import { FIRST_FREE_NODE, NO_NODE, nodeId, RESOURCES, SKILLS } from "../../../src/domain/node.ts";
import { NodeTable } from "../../../src/workspace/tree/node-table.ts";

const NODES = 60;
const STEPS = 400;

/**
 * Whether a node belongs in a mask: its chain of parents leads to one of the roots and to the root of the
 * tree.
 */
function inMask(parents: ReadonlyMap<number, number>, roots: readonly number[], node: number): boolean {
  let below = false;
  let at: number | undefined = node;
  for (; at !== undefined && at !== RESOURCES && at !== SKILLS; at = parents.get(at))
    below ||= roots.includes(at);
  return at !== undefined && (below || roots.includes(at));
}

describe("NodeTable.mask", () => {
  it("a node mask follows every change of the tree", () => {
    const table = new NodeTable();
    const parents = new Map<number, number>();
    let state = 7;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let step = 0; step < STEPS; step++) {
      const node = nodeId(FIRST_FREE_NODE + random(NODES));
      // a parent has a smaller number, so that no cycle can arise
      const directory =
        random(4) === 0 || node === FIRST_FREE_NODE
          ? RESOURCES
          : FIRST_FREE_NODE + random(node - FIRST_FREE_NODE);
      if (random(4) === 0) {
        table.cut(node);
        parents.delete(node);
      } else {
        table.put({
          node,
          directory: nodeId(directory),
          isDirectory: true,
          isHidden: false,
          isCode: false,
          source: NO_NODE,
          generation: 1,
          updatedAt: 0,
        });
        parents.set(node, directory);
      }
      for (const roots of [[RESOURCES, SKILLS], [nodeId(FIRST_FREE_NODE + random(NODES))], [SKILLS]]) {
        const mask = table.mask(roots);
        for (let at = FIRST_FREE_NODE; at < FIRST_FREE_NODE + NODES; at++)
          expect(mask[at] ?? 0).toBe(Number(inMask(parents, roots, at)));
      }
    }
  });

  it("a node mask is computed once between two changes", () => {
    const table = new NodeTable();
    const before = table.mask([RESOURCES]);
    expect(table.mask([RESOURCES])).toBe(before);
    table.setUsage(FIRST_FREE_NODE, 1);
    expect(table.mask([RESOURCES])).not.toBe(before);
  });
});
