import type { WorkspaceId } from "../../domain/ids.ts";
import type { Ownership, Taken } from "../stores.ts";

/**
 * Ownership for the only server of a data directory: it holds all workspaces except those that it has given
 * up.
 */
export class SoleOwner implements Ownership {
  readonly hasServerRecords = true;
  /** Turn of each workspace that was given up. */
  readonly #turns = new Map<WorkspaceId, number>();

  async start(): Promise<"everything"> {
    return "everything";
  }

  isSure(): boolean {
    return true;
  }

  async take(workspace: WorkspaceId): Promise<Taken> {
    return { turn: this.#turns.get(workspace) ?? 1 };
  }

  async prepare(): Promise<void> {
    // its records are already in this store
  }

  async give(workspace: WorkspaceId): Promise<void> {
    this.#turns.set(workspace, (this.#turns.get(workspace) ?? 1) + 1);
  }
}
