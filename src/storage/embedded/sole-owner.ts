import type { WorkspaceId } from "../../domain/ids.ts";
import type { Ownership, Taken } from "../stores.ts";

/** The only server of a data directory: it has all workspaces, except while it has given one up itself. */
export class SoleOwner implements Ownership {
  readonly hasServerRecords = true;
  /** Of workspaces that were given up. */
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

  async give(workspace: WorkspaceId): Promise<void> {
    this.#turns.set(workspace, (this.#turns.get(workspace) ?? 1) + 1);
  }
}
