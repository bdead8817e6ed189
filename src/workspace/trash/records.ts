import type { Author, NodeId, NodeKind } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import { isMissingOr, isNumber, isNumbers, isText, isTexts, objects } from "../../storage/record-codec.ts";

/** Operations that move nodes to the trash. */
export const TRASH_CAUSES = ["remove", "replace", "import"] as const;
export type TrashCause = (typeof TRASH_CAUSES)[number];

/** An item in the trash. The key contains the directory with its content. */
export interface TrashRecord {
  /** The removed file or directory; for an import, a directory with everything it replaced. */
  readonly node: NodeId;
  readonly kind: NodeKind;
  /** Original path, as its owner sees it. */
  readonly path: Path;
  /** Folders that contained it, from the top down: their rules apply wherever they are now. */
  readonly folders?: readonly NodeId[];
  /** Whether one of these folders denied reading when it was purged: only its administrators see the item. */
  readonly isGuarded?: true;
  /** Time of the removal, Unix time in ms. */
  readonly at: number;
  /** Who removed it; absent if unknown. */
  readonly by?: Author;
  readonly cause: TrashCause;
  /** Size in bytes of the content and its earlier versions; absent until a job has counted it. */
  readonly bytes?: number;
}

export const TRASHED = objects<TrashRecord>(
  "item of the trash",
  ({ node, kind, path, folders, isGuarded, at, by, cause, bytes }) =>
    isNumber(node) &&
    (kind === "file" || kind === "directory") &&
    isTexts(path) &&
    isMissingOr(folders, isNumbers) &&
    isMissingOr(isGuarded, (value) => value === true) &&
    isNumber(at) &&
    isMissingOr(by, (author) => isText(author) || isNumber(author)) &&
    TRASH_CAUSES.some((known) => known === cause) &&
    isMissingOr(bytes, isNumber),
);
