import { Counter, type Registry } from "prom-client";
import type { LostAccess } from "../../accounts/account-changes.ts";
import { accountDeleted, roleTaken, unauthenticated, userRemoved } from "../../accounts/standing.ts";
import type { Caller } from "../../domain/caller.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { RunningCall } from "../call.ts";
import { networkOf } from "../connections/network.ts";
import { toServiceError } from "../errors.ts";
import { type HeaderView, type Identity, readIdentity } from "../identity.ts";
import { TokenBuckets } from "./token-buckets.ts";

/**
 * Synchronous. Throws UNAUTHENTICATED for a missing or unknown key, INVALID_ARGUMENT for a malformed
 * identity, NOT_FOUND {type account}.
 */
export type Authenticate = (identity: Identity) => Caller;

/** Wrong keys per address before further ones get RESOURCE_EXHAUSTED: burst, and refill per second. */
export const WRONG_KEYS = { burst: 100, perSecond: 1 } as const;
/** Maximum number of addresses tracked for wrong keys. */
const MAX_ADDRESSES = 10_000;

export interface AuthenticationOptions {
  readonly authenticate: Authenticate;
  readonly registry: Registry;
  /** Monotonic time in ms. */
  readonly now?: (() => number) | undefined;
}

/**
 * Identifies callers by request headers, and counts wrong keys: an address with too many gets
 * RESOURCE_EXHAUSTED. A valid key is always accepted, so that nobody can lock out others at the same address.
 */
export class Authentication {
  readonly #authenticate: Authenticate;
  readonly #wrong: TokenBuckets;
  readonly #failures: Counter<"reason">;

  constructor({ authenticate, registry, now }: AuthenticationOptions) {
    this.#authenticate = authenticate;
    this.#wrong = new TokenBuckets({
      capacity: WRONG_KEYS.burst,
      perSecond: WRONG_KEYS.perSecond,
      maxKeys: MAX_ADDRESSES,
      now,
    });
    this.#failures = new Counter({
      name: "ctxdb_authentication_failures_total",
      help: "Requests without a valid key: missing, wrong, or throttled after too many wrong ones from an address",
      labelNames: ["reason"],
      registers: [registry],
    });
    for (const reason of ["missing", "wrong", "throttled"]) this.#failures.inc({ reason }, 0);
  }

  /** Throws like `Authenticate`, and RESOURCE_EXHAUSTED {retry_after} after too many wrong keys. */
  identify(headers: HeaderView): Caller {
    const identity = readIdentity(headers);
    try {
      const caller = this.#authenticate(identity);
      headers.identified?.(caller);
      return caller;
    } catch (error) {
      if (error instanceof ServiceError && error.code === "UNAUTHENTICATED")
        throw this.#failed(error, identity, headers.peer);
      throw error;
    }
  }

  /**
   * Identifies the caller of a running request again; does not count wrong keys. Throws like `Authenticate`.
   */
  identifyAgain(headers: HeaderView): Caller {
    return this.#authenticate(readIdentity(headers));
  }

  /** The error for a running call whose caller has lost access; undefined if the caller still has it. */
  lostBy(call: RunningCall): ServiceError | undefined {
    return this.#lost(call, undefined, (headers) => this.#outcomeOf(headers));
  }

  /** Like `lostBy`, for all calls after one loss of access; identical claims are identified only once. */
  afterLoss(lost: LostAccess): (call: RunningCall) => ServiceError | undefined {
    const outcomes = new Map<string, Caller | ServiceError>();
    const identify = (headers: HeaderView) => {
      const claims = JSON.stringify(readIdentity(headers));
      const outcome = outcomes.get(claims) ?? this.#outcomeOf(headers);
      outcomes.set(claims, outcome);
      return outcome;
    };
    return (call) =>
      call.knownCaller?.accountIncarnation === lost.incarnation
        ? this.#lost(call, lost, identify)
        : undefined;
  }

  #lost(
    { admitted, knownCaller: before }: RunningCall,
    lost: LostAccess | undefined,
    identify: (headers: HeaderView) => Caller | ServiceError,
  ): ServiceError | undefined {
    if (admitted === undefined || before === undefined) return undefined;
    // administrators are checked when the change is made, and may have replaced the key of this very request
    if (admitted.isAdministration) return undefined;
    const now = identify(admitted.headers);
    if (now instanceof ServiceError) return now;
    if (now.accountIncarnation !== before.accountIncarnation && before.accountIncarnation !== undefined)
      return accountDeleted(before.account);
    const isRemoved =
      lost?.what === "user" && lost.incarnation === before.accountIncarnation && lost.user === before.user;
    const isOther = before.userIncarnation !== undefined && now.userIncarnation !== before.userIncarnation;
    if (isRemoved || isOther) return userRemoved(before.user);
    return before.role === "admin" && now.role === "user" ? roleTaken(before.user) : undefined;
  }

  /** The caller, or the error if the headers no longer identify one. */
  #outcomeOf(headers: HeaderView): Caller | ServiceError {
    try {
      return this.identifyAgain(headers);
    } catch (error) {
      const lost = toServiceError(error);
      return lost.code === "UNAUTHENTICATED" ? lostKey() : lost;
    }
  }

  #failed(error: ServiceError, { key }: Identity, peer: string | undefined): ServiceError {
    // a header without a readable key is not a guess
    const isGuess = key !== undefined && key !== "";
    const seconds = isGuess ? this.#wrong.take(networkOf(peer)) : 0;
    const answered = isGuess ? "wrong" : "missing";
    this.#failures.inc({ reason: seconds > 0 ? "throttled" : answered });
    return seconds > 0 ? throttled(seconds) : error;
  }
}

function throttled(seconds: number): ServiceError {
  const retryAfter = Math.max(1, Math.ceil(seconds));
  const reason = "too many wrong keys were sent from this address";
  return new ServiceError(
    "RESOURCE_EXHAUSTED",
    `API key: ${reason}; try again in ${retryAfter} s, or send a valid key`,
    {
      resource: "API key",
      reason,
      retry_after: retryAfter,
    },
  );
}

const lostKey = () =>
  unauthenticated(
    "the API key was replaced, its user removed or its account deleted while the request was under way",
  );
