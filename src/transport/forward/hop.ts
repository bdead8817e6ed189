import { createHmac, timingSafeEqual } from "node:crypto";
import type { HttpRequest } from "../connections/connections.ts";

/** Header of a forwarded request. Ignored unless a server of the same store has sent it. */
export const HOP = "x-ctxdb-hop";
/** Trailer of a complete response, because a broken stream may end without an error code. */
export const COMPLETE = "x-ctxdb-complete";
/** Header of a response with status 421: the server does not own the workspace. */
export const MOVED = "x-ctxdb-moved";

/** Maximum difference in ms between a signed header's time and the local clock, in either direction. */
const MAX_AGE_MS = 5 * 60_000;
const MAC_BYTES = 32;
const FORM = /^(\d{1,15}) (\d{1,15}) (call|account) ([01]) (\S{0,100}) ([0-9a-f]{64})$/;

/** Information about a forwarded request for the owner of its workspace. */
export interface Hop {
  /** Number of the member that should receive the request. */
  readonly to: number;
  /**
   * `call`: a complete request of a caller. `account`: an operation of ROOT on an account; the sender has
   * authenticated, counted and audited it.
   */
  readonly kind: "call" | "account";
  /** Remote address of the caller. */
  readonly peer: string | undefined;
  /** Whether the caller's connection is encrypted. */
  readonly isEncrypted: boolean;
}

/** Signs and verifies the header of forwarded requests with the secret of the store. */
export class HopSigner {
  readonly #secret: Uint8Array;
  readonly #clock: () => number;

  constructor(secret: Uint8Array, clock: () => number) {
    this.#secret = secret;
    this.#clock = clock;
  }

  sign({ to, kind, peer, isEncrypted }: Hop, method: string, path: string): string {
    const text = `${to} ${this.#clock()} ${kind} ${isEncrypted ? 1 : 0} ${peer ?? ""}`;
    return `${text} ${this.#mac(text, method, path).toString("hex")}`;
  }

  /** Undefined unless a server of the same store has recently signed the header for this method and path. */
  verify(header: string, method: string, path: string): Hop | undefined {
    const match = FORM.exec(header);
    if (match === null) return undefined;
    const [, to, at, kind, encrypted, peer, mac = ""] = match;
    const text = header.slice(0, -(MAC_BYTES * 2 + 1));
    if (!timingSafeEqual(Buffer.from(mac, "hex"), this.#mac(text, method, path))) return undefined;
    if (Math.abs(this.#clock() - Number(at)) > MAX_AGE_MS) return undefined;
    return {
      to: Number(to),
      kind: kind === "account" ? "account" : "call",
      peer: peer || undefined,
      isEncrypted: encrypted === "1",
    };
  }

  #mac(text: string, method: string, path: string): Buffer {
    return createHmac("sha256", this.#secret).update(`${text}\n${method}\n${path}`).digest();
  }
}

const HOPS = new WeakMap<HttpRequest, Hop>();

/** Marks a request as forwarded by another server of the store. */
export function noteHop(request: HttpRequest, hop: Hop): void {
  HOPS.set(request, hop);
}

/** Undefined for a request that was not forwarded. */
export const hopOf = (request: HttpRequest): Hop | undefined => HOPS.get(request);
