import { createHmac, timingSafeEqual } from "node:crypto";
import type { HttpRequest } from "../connections/connections.ts";

/** Header of a forwarded request. From anybody else than a server of the same store it has no effect. */
export const HOP = "x-ctxdb-hop";
/** Trailer of a complete response: a stream that breaks off may end without an error code. */
export const COMPLETE = "x-ctxdb-complete";
/** Header of a response with status 421: the server does not own the workspace. */
export const MOVED = "x-ctxdb-moved";

/** Maximum age in ms of a signed header, in both directions because clocks of servers differ. */
const MAX_AGE_MS = 5 * 60_000;
const MAC_BYTES = 32;
const FORM = /^(\d{1,15}) (\d{1,15}) (call|account) ([01]) (\S{0,100}) ([0-9a-f]{64})$/;

/** What a server tells the owner of a workspace about a request that it forwards. */
export interface Hop {
  /** Number of the member that the request is for. */
  readonly to: number;
  /**
   * `call`: a whole request of a caller. `account`: an operation of ROOT on an account, which the sender has
   * authenticated, counted and audited.
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

  /** Undefined unless a server of the same store has signed the header for this method and path just now. */
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

/** Notes that a request was forwarded by another server of the store. */
export function noteHop(request: HttpRequest, hop: Hop): void {
  HOPS.set(request, hop);
}

/** Undefined for a request that comes from its caller. */
export const hopOf = (request: HttpRequest): Hop | undefined => HOPS.get(request);
