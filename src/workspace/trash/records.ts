import type { Author, NodeId, NodeKind } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import { isMissingOr, isNumber, isText, isTexts, objects } from "../../storage/records.ts";

/** What moved something to the trash. */
export const TRASH_CAUSES = ["remove", "replace", "import"] as const;
export type TrashCause = (typeof TRASH_CAUSES)[number];

/** One item of the trash. Its key names the directory that holds it. */
export interface TrashRecord {
  /** The removed file or directory; for an import, a directory with everything that it replaced. */
  readonly node: NodeId;
  readonly kind: NodeKind;
  /** Where it was, as its owner names it. */
  readonly path: Path;
  /** Unix time in ms of the removal. */
  readonly at: number;
  /** Who removed it; missing if unknown. */
  readonly by?: Author;
  readonly cause: TrashCause;
  /** Contents with their earlier versions; missing until a job has counted them. */
  readonly bytes?: number;
}

export const TRASHED = objects<TrashRecord>(
  "item of the trash",
  ({ node, kind, path, at, by, cause, bytes }) =>
    isNumber(node) &&
    (kind === "file" || kind === "directory") &&
    isTexts(path) &&
    isNumber(at) &&
    isMissingOr(by, (author) => isText(author) || isNumber(author)) &&
    TRASH_CAUSES.some((known) => known === cause) &&
    isMissingOr(bytes, isNumber),
);
