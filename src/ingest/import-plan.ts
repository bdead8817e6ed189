import type { NodeId } from "../domain/node.ts";
import type { Path } from "../domain/uri.ts";
import type { WorkspaceDraft } from "../workspace/draft.ts";
import type { PendingCleanup } from "../workspace/tree/tree.ts";

export interface ImportOptions {
  readonly root: Path;
  readonly rootUri: string;
  readonly strict: boolean;
  readonly index: boolean;
  /** Stored with the root; rendered as `.meta.json`. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/** Result of an import before the transaction that makes it visible. */
export interface ImportPlan {
  /** Every file that was built, including derived ones. */
  readonly built: readonly (readonly [node: NodeId, generation: number, bytes: number])[];
  /** Every node with new chunks, and their number. */
  readonly indexed: readonly (readonly [node: NodeId, chunks: number])[];
  readonly warnings: readonly string[];
  /** Files of known formats that are stored without their text, and why. */
  readonly errors: readonly string[];
  /** Too large for one uninterrupted change: link it with yields. */
  readonly isLarge: boolean;
  /**
   * Adds everything to the change, in small steps: links, removals, metadata. Throws Conflict if the tree has
   * changed since the plan was made.
   */
  link(draft: WorkspaceDraft): Generator<void, PendingCleanup>;
  abandon(): Promise<void>;
  release(): void;
}
