import { sha256 } from "../base/sha256.ts";
import type { Caller } from "../domain/caller.ts";
import { invalidArgument } from "../domain/errors.ts";
import { trimJob } from "../domain/job.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Draft } from "../storage/draft.ts";
import type { FirstAnswerRecord } from "../workspace/records.ts";
import {
  FIRST_ANSWER_LIFE_MS,
  findFirstAnswer,
  type LaterAnswer,
  putFirstAnswer,
} from "../workspace/requests/first-answers.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Tenants } from "./tenants.ts";

/** A first answer: the encoded response message and its ETag. */
export interface FirstAnswer {
  readonly message: Uint8Array;
  readonly etag?: string;
}

/**
 * Permission to execute the request. `finish(undefined)` means that the operation failed, so that the next
 * attempt runs it again.
 */
export interface FirstAnswerLease {
  /** Stores the answer in the transaction of the change; `finish` may replace it with a more complete one. */
  readonly keep: (draft: Draft, answer: FirstAnswer) => void;
  /** The record of the answer, for a later transaction that stores it. */
  readonly later: (answer: FirstAnswer) => LaterAnswer;
  readonly finish: (answer: FirstAnswer | undefined) => Promise<void>;
}

export type FirstAnswerOrLease = { readonly answer: FirstAnswer } | FirstAnswerLease;

/** Stores first answers under an Idempotency-Key, by caller, additional API key and operation. */
export class FirstAnswers {
  readonly #tenants: Tenants;
  readonly #queue: JobQueue;
  readonly #running = new Map<string, Promise<void>>();

  constructor(tenants: Tenants, queue: JobQueue) {
    this.#tenants = tenants;
    this.#queue = queue;
  }

  /**
   * Returns the first answer, or a lease to produce it. Waits while a call with the same key is running.
   * Throws INVALID_ARGUMENT if the key was used with a different request.
   */
  async begin(caller: Caller, operation: string, key: string, bodyHash: string): Promise<FirstAnswerOrLease> {
    // omit the key version, so that a request that replaces its own key still has its answer stored
    const { keyVersion: _, ...user } = caller;
    const { workspace } = await this.#tenants.openOrCreate(user);
    // only the main key may see the secret of a webhook, which an answer to it contains
    const usedKey = caller.key ? `\n${caller.key.hash}` : "";
    const hash = sha256(`${operation}\n${key}${usedKey}`);
    const place = `${workspace.incarnation}/${caller.user}+${caller.userIncarnation ?? 0}/${hash}`;
    for (let running = this.#running.get(place); running; running = this.#running.get(place)) await running;
    const kept = findFirstAnswer(workspace, caller.user, hash);
    if (kept) {
      if (kept.bodyHash !== bodyHash)
        throw invalidArgument("idempotency_key", "was already used for another request: use a new key");
      return {
        answer: {
          message: Buffer.from(kept.message, "base64"),
          ...(kept.etag !== undefined && { etag: kept.etag }),
        },
      };
    }
    // check the quota now, because the answer is stored after the effect, when it cannot be refused
    workspace.checkRoom(1);
    let end: () => void = () => undefined;
    /** Whether the answer was stored with the effect. */
    let isKept = false;
    this.#running.set(place, new Promise<void>((resolve) => (end = resolve)));
    const recordOf = ({ message, etag }: FirstAnswer): FirstAnswerRecord => ({
      bodyHash,
      message: Buffer.from(message).toString("base64"),
      at: workspace.clock(),
      ...(etag !== undefined && { etag }),
    });
    return {
      keep: (draft, answer) => {
        this.#put(draft, workspace, caller.user, hash, recordOf(answer));
        draft.onDurable(() => (isKept = true));
      },
      later: (answer) => ({ hash, record: recordOf(answer) }),
      finish: async (answer) => {
        try {
          if (answer) {
            await workspace.forServer.transact((draft) => {
              draft.isBeyondQuota = true;
              // an answer that was stored with the effect and is gone was forgotten: do not store it again
              const stored = draft.get(workspace.keys.firstAnswer(caller.user, hash));
              const isForgotten = isKept && stored === undefined;
              if (!isForgotten && isAllowed(workspace, draft))
                this.#put(draft, workspace, caller.user, hash, recordOf(answer));
              return () => undefined;
            });
          }
        } finally {
          this.#running.delete(place);
          end();
        }
      },
    };
  }

  #put(draft: Draft, workspace: Workspace, user: string, hash: string, record: FirstAnswerRecord): void {
    putFirstAnswer(draft, workspace, user, hash, record);
    this.#queue.enqueue(draft, trimJob(workspace.incarnation, record.at + FIRST_ANSWER_LIFE_MS));
  }
}

/** Whether an answer may be stored: not for callers who were removed during the call, or by it. */
function isAllowed(workspace: Workspace, draft: Draft): boolean {
  try {
    workspace.checkAllowed(draft);
    return true;
  } catch {
    return false;
  }
}
