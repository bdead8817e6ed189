import { type ServiceError, unavailable } from "../../domain/errors.ts";
import type { HeldPlace, WorkspaceGuard } from "../../service/workspace-guard.ts";
import type { RunningCall } from "../call.ts";
import { type HeaderView, readIdentity } from "../identity.ts";

/** The workspaces that the answers of calls depend on, where several servers share a store. */
export class CallPlaces {
  readonly #workspaces: Pick<WorkspaceGuard, "enter" | "enterAccount" | "holds"> | undefined;

  /** `workspaces`: undefined if this server has its store alone. */
  constructor(workspaces: Pick<WorkspaceGuard, "enter" | "enterAccount" | "holds"> | undefined) {
    this.#workspaces = workspaces;
  }

  /** Runs `then` once this server has the caller's workspace; synchronously if it has it already. */
  enter(call: RunningCall, headers: HeaderView, then: () => void): Promise<void> | undefined {
    if (headers.refusal) throw headers.refusal;
    const place = this.#workspaces?.enter(readIdentity(headers));
    const noted = (held: HeldPlace | undefined) => {
      if (held) call.places.push(held);
      then();
    };
    if (place instanceof Promise) return call.untilDeadline(place).then(noted);
    noted(place);
    return undefined;
  }

  /** Rejects if the caller's workspace is at another server. */
  async check(headers: HeaderView): Promise<void> {
    if (headers.refusal) throw headers.refusal;
    await this.#workspaces?.enter(readIdentity(headers));
  }

  /** For calls about another account than the caller's. */
  async enterAccount(call: RunningCall, name: string): Promise<void> {
    const entering = this.#workspaces?.enterAccount(name);
    const place = entering instanceof Promise ? await call.untilDeadline(entering) : entering;
    if (place) call.places.push(place);
  }

  /** Whether another server may have changed what the call's answer depends on. */
  haveMoved(call: RunningCall): boolean {
    const workspaces = this.#workspaces;
    return workspaces !== undefined && !call.places.every((place) => workspaces.holds(place));
  }
}

export const moved = (): ServiceError =>
  unavailable("the account has moved to another server, or the store does not answer; try again");
