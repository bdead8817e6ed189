import { Budget, type Lease } from "../../base/budget.ts";
import type { Caller } from "../../domain/caller.ts";
import { overBudget, ServiceError } from "../../domain/errors.ts";
import { NO_USER, type WorkspaceId } from "../../domain/ids.ts";

/** Maximum number of open streams per user, per account and in total. */
const MAX_OF_USER = 32;
const MAX_OF_ACCOUNT = 256;
const MAX_STREAMS = 4096;

const tooManyOfUser = ({ used, more, limit }: { used: number; more: number; limit: number }) => {
  const reason = `the user has ${used} open; at most ${limit} may be`;
  const details = { resource: "change streams", reason, unit: "streams", used, more, limit };
  return new ServiceError("RESOURCE_EXHAUSTED", `change streams: ${reason}: close one of them`, details);
};

/** Tracks open change streams: their limits and metrics. */
export class ChangeStreams {
  /** Number of events sent by all streams. */
  sent = 0;
  readonly #users = new Budget({ perKey: MAX_OF_USER, total: MAX_STREAMS }, tooManyOfUser);
  readonly #accounts = new Budget<number>(
    { perKey: MAX_OF_ACCOUNT, total: MAX_STREAMS },
    overBudget("change streams", "streams"),
  );

  get open(): number {
    return this.#accounts.used();
  }

  /** Registers a stream. Throws RESOURCE_EXHAUSTED if there are too many. */
  enter({ user, userIncarnation = NO_USER }: Caller, incarnation: WorkspaceId): Pick<Lease, "release"> {
    const account = this.#accounts.take(incarnation, 1);
    try {
      const own = this.#users.take(`${incarnation}/${user}+${userIncarnation}`, 1);
      return {
        release: () => {
          own.release();
          account.release();
        },
      };
    } catch (error) {
      account.release();
      throw error;
    }
  }
}
