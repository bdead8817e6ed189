import type { WorkspaceId } from "./ids.ts";

/** The workspaces that a component holds; none at first. */
export class HeldWorkspaces {
  #hasAll = false;
  /** The held workspaces; if all are held, the exceptions. */
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
