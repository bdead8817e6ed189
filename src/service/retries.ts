import { sha256 } from "../base/sha256.ts";
import type { Caller } from "../domain/caller.ts";
import { invalidArgument } from "../domain/errors.ts";
import type { Draft } from "../storage/draft.ts";
import { findRetry, keepRetry, putRetry, type RetryRecord } from "../workspace/retries.ts";
import type { Tenants } from "./tenants.ts";

/** A first answer: the encoded response message and its ETag. */
export interface FirstAnswer {
  readonly message: Uint8Array;
  readonly etag?: string;
}

/** Leave to give the first answer: with the change that it is about, and at the end of the call. */
export interface Ticket {
  readonly keep: (draft: Draft, answer: FirstAnswer) => void;
  readonly finish: (answer: FirstAnswer | undefined) => Promise<void>;
}

export type Begun = { readonly answer: FirstAnswer } | Ticket;

/** First answers under an Idempotency-Key, by caller and operation, kept in the store (ruling E20). */
export class Retries {
  readonly #tenants: Tenants;
  readonly #running = new Map<string, Promise<void>>();

  constructor(tenants: Tenants) {
    this.#tenants = tenants;
  }

  /** The first answer, or leave to give it. Waits while the same key is under way. INVALID_ARGUMENT where the key came with another request. */
  async begin(caller: Caller, operation: string, key: string, bodyHash: string): Promise<Begun> {
    const { workspace } = await this.#tenants.writing(caller);
    const hash = sha256(`${operation}\n${key}`);
    const place = `${workspace.incarnation}/${caller.user}/${hash}`;
    for (let running = this.#running.get(place); running; running = this.#running.get(place)) await running;
    const kept = findRetry(workspace, caller.user, hash);
    if (kept) {
      if (kept.bodyHash !== bodyHash) throw invalidArgument("idempotency_key", "it was used with another request");
      return { answer: { message: Buffer.from(kept.message, "base64"), ...(kept.etag !== undefined && { etag: kept.etag }) } };
    }
    let end: () => void = () => undefined;
    this.#running.set(place, new Promise<void>((resolve) => (end = resolve)));
    const recordOf = ({ message, etag }: FirstAnswer): RetryRecord => ({
      bodyHash,
      message: Buffer.from(message).toString("base64"),
      at: workspace.clock(),
      ...(etag !== undefined && { etag }),
    });
    return {
      keep: (draft, answer) => putRetry(draft, workspace, caller.user, hash, recordOf(answer)),
      finish: async (answer) => {
        try {
          if (answer) await keepRetry(workspace, caller.user, hash, recordOf(answer));
        } finally {
          this.#running.delete(place);
          end();
        }
      },
    };
  }
}
