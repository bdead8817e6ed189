import { type ServiceError, unavailable } from "../../domain/errors.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import type { HeldPlace, WorkspaceGuard } from "../../service/workspace-guard.ts";
import type { RunningCall } from "../call.ts";
import { networkOf } from "../connections/network.ts";
import { type HeaderView, readIdentity } from "../identity.ts";

/** Tracks the workspaces on which the responses of calls depend, if several servers share the store. */
export class CallWorkspaces {
  readonly #workspaces: Pick<WorkspaceGuard, "enter" | "enterAccount" | "holds"> | undefined;
  /** Running calls by workspace. */
  readonly #running = new Map<WorkspaceId, Set<RunningCall>>();
  /** Workspaces being given up, with the callback for the end of their last call. */
  readonly #leaving = new Map<WorkspaceId, () => void>();

  /** `workspaces`: undefined if no other server uses the store. */
  constructor(workspaces: Pick<WorkspaceGuard, "enter" | "enterAccount" | "holds"> | undefined) {
    this.#workspaces = workspaces;
  }

  /** Runs `then` once this server holds the caller's workspace; synchronously if it already does. */
  enter(call: RunningCall, headers: HeaderView, then: () => void): Promise<void> | undefined {
    if (headers.refusal) throw headers.refusal;
    const place = this.#workspaces?.enter(readIdentity(headers), networkOf(headers.peer));
    const noted = (held: HeldPlace | undefined) => {
      if (held) this.#entered(call, held);
      then();
    };
    if (place instanceof Promise) return call.untilDeadline(place).then(noted);
    noted(place);
    return undefined;
  }

  /** Rejects if another server holds the caller's workspace. */
  async check(headers: HeaderView): Promise<void> {
    if (headers.refusal) throw headers.refusal;
    await this.#workspaces?.enter(readIdentity(headers), networkOf(headers.peer));
  }

  /** Like `enter`, for an account other than the caller's. */
  async enterAccount(call: RunningCall, name: string): Promise<void> {
    const entering = this.#workspaces?.enterAccount(name);
    const place = entering instanceof Promise ? await call.untilDeadline(entering) : entering;
    if (place) this.#entered(call, place);
  }

  /** Must be called when a call has ended. */
  left(call: RunningCall): void {
    for (const { workspace } of call.places) {
      const running = this.#running.get(workspace);
      if (!running?.delete(call) || running.size > 0) continue;
      this.#running.delete(workspace);
      this.#leaving.get(workspace)?.();
    }
  }

  /** Ends waits and streams in a workspace, waits up to `graceMs` for the other calls, and aborts them then. */
  async leave(workspace: WorkspaceId, graceMs: number): Promise<void> {
    const running = this.#running.get(workspace);
    if (!running) return;
    const quiet = new Promise<void>((resolve) => this.#leaving.set(workspace, resolve));
    const late = setTimeout(() => {
      for (const call of running) call.abortInTurn(moved());
      this.#leaving.get(workspace)?.();
    }, graceMs);
    // other calls finish here: one that was aborted while it waits for its turn would fail without a reason
    for (const call of running) call.endWaitsInTurn(moved());
    await quiet;
    clearTimeout(late);
    this.#leaving.delete(workspace);
  }

  /** Whether another server may have changed data that the response depends on. */
  haveMoved(call: RunningCall): boolean {
    const workspaces = this.#workspaces;
    return workspaces !== undefined && !call.places.every((place) => workspaces.holds(place));
  }

  #entered(call: RunningCall, place: HeldPlace): void {
    call.places.push(place);
    const running = this.#running.get(place.workspace);
    if (running) running.add(call);
    else this.#running.set(place.workspace, new Set([call]));
  }
}

export const moved = (): ServiceError =>
  unavailable("the account has moved to another server, or the store does not answer; try again");
