import type { NodeId } from "../domain/node.ts";
import type { Path } from "../domain/uri.ts";
import type { WorkspaceDraft } from "../workspace/draft.ts";
import type { FoundSecrets } from "../workspace/found-secrets.ts";
import type { PendingCleanup } from "../workspace/tree/tree.ts";

export interface ImportOptions {
  readonly root: Path;
  readonly rootUri: string;
  readonly strict: boolean;
  readonly index: boolean;
  /** Metadata of the root, rendered as `.meta.json`. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Receives the secrets in the files. */
  readonly found: FoundSecrets;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/** A prepared import, before the transaction that makes it visible. */
export interface ImportPlan {
  /** All built files, including derived ones. */
  readonly built: readonly (readonly [node: NodeId, generation: number, bytes: number])[];
  /** Nodes with new chunks, and their number of chunks. */
  readonly indexed: readonly (readonly [node: NodeId, chunks: number])[];
  readonly warnings: readonly string[];
  /** Files of known formats that are stored without their text, with the reason. */
  readonly errors: readonly string[];
  /** Whether the change is too large to link without yields. */
  readonly isLarge: boolean;
  /**
   * Adds the import to a transaction in small steps: links, removals, metadata. Throws Conflict if the tree
   * has changed since the plan was made.
   */
  link(draft: WorkspaceDraft): Generator<void, PendingCleanup>;
  abandon(): Promise<void>;
  release(): void;
}
