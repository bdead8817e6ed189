import type { WorkspaceId } from "./ids.ts";

/** Which workspaces a part of the server has taken up: none at first. */
export class HeldWorkspaces {
  #hasAll = false;
  /** Without all: those that are held; with all: those that are not. */
  readonly #exceptions = new Set<WorkspaceId>();

  has(workspace: WorkspaceId): boolean {
    return this.#exceptions.has(workspace) !== this.#hasAll;
  }

  adopt(of: WorkspaceId | "everything"): void {
    if (of === "everything") {
      this.#hasAll = true;
      this.#exceptions.clear();
    } else if (this.#hasAll) this.#exceptions.delete(of);
    else this.#exceptions.add(of);
  }

  drop(workspace: WorkspaceId): void {
    if (this.#hasAll) this.#exceptions.add(workspace);
    else this.#exceptions.delete(workspace);
  }
}
