import { itemAt, lastOf } from "../../base/expect.ts";
import { printable } from "../../base/printable.ts";
import type { Paint } from "./paint.ts";

export interface Branch {
  /** Path below the root, with "/" between segments. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Formats a flat list as a tree; each folder must precede its contents. */
export function treeText(root: string, branches: readonly Branch[], paint: Paint): string {
  const parts = branches.map(({ path }) => path.split("/"));
  const isLast = lastOnes(parts);
  const lines = branches.map(({ isFolder }, at) => {
    const segments = itemAt(parts, at);
    const above = segments
      .slice(0, -1)
      .map((_, depth) => (isLast.get(segments.slice(0, depth + 1).join("/")) ? "    " : "│   "));
    const name = printable(lastOf(segments));
    const joint = isLast.get(segments.join("/")) ? "└── " : "├── ";
    return `${paint.faint(above.join("") + joint)}${isFolder ? paint.name(`${name}/`) : name}\n`;
  });
  return `${paint.strong(root)}\n${lines.join("")}`;
}

/** Whether an entry is the last in its folder, by path. */
function lastOnes(parts: readonly (readonly string[])[]): Map<string, boolean> {
  const isLast = new Map<string, boolean>();
  const seen = new Set<string>();
  for (const segments of parts.toReversed()) {
    const folder = segments.slice(0, -1).join("/");
    isLast.set(segments.join("/"), !seen.has(folder));
    seen.add(folder);
  }
  return isLast;
}
