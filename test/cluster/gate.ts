import { once } from "node:events";
import {
  type AddressInfo,
  connect,
  createServer,
  type ListenOptions,
  type Server,
  type Socket,
} from "node:net";

/** Where connections go: a port of this machine, the path of a socket, or ports that take turns. */
export type Target = number | string | readonly number[];

/**
 * A proxy in front of a server that can be cut off. What was sent before and while it is held arrives once it
 * is opened again, as after a fault of a network.
 */
export class Gate {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #target: Target | undefined;
  #turns = 0;
  #isHeld = false;
  #isShut = false;
  #left = Number.POSITIVE_INFINITY;
  #awaited: { readonly marker: string; readonly reached: () => void } | undefined;

  private constructor(target: Target | undefined) {
    this.#target = target;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  static async open(at: ListenOptions, target?: Target): Promise<Gate> {
    const gate = new Gate(target);
    gate.#server.listen(at);
    await once(gate.#server, "listening");
    return gate;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Undefined: connections are refused. */
  set target(target: Target | undefined) {
    this.#target = target;
  }

  /** Passes nothing on until `release`. */
  hold(): void {
    this.#isHeld = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** Holds as soon as something with this text in it is about to be sent to the target, and keeps that back. */
  holdBefore(marker: string): Promise<void> {
    return new Promise((reached) => {
      this.#awaited = { marker, reached };
    });
  }

  /** Breaks all connections and refuses new ones until `release`. */
  shut(): void {
    this.#isShut = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  /** As `shut`, behind so many parts of what is sent to the target; the answer to the last one is lost. */
  shutAfter(parts: number): void {
    this.#left = parts;
  }

  release(): void {
    this.#isHeld = false;
    this.#isShut = false;
    this.#awaited = undefined;
    this.#left = Number.POSITIVE_INFINITY;
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
  }

  async close(): Promise<void> {
    this.shut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #accept(socket: Socket): void {
    const target = this.#next();
    if (this.#isShut || !target) {
      socket.destroy();
      return;
    }
    const upstream = connect({ ...target, allowHalfOpen: true });
    const pair = [socket, upstream] as const;
    this.#pairs.add(pair);
    this.#pipe(socket, upstream, (part) => this.#isAwaited(part));
    this.#pipe(upstream, socket, () => false);
    socket.on("data", () => {
      if (--this.#left === 0) upstream.once("data", () => this.shut());
    });
    for (const one of pair)
      one.on("close", () => {
        this.#pairs.delete(pair);
        for (const other of pair) if (!other.writableEnded) other.destroy();
      });
    if (this.#isHeld) for (const one of pair) one.pause();
  }

  #next(): { readonly port: number } | { readonly path: string } | undefined {
    const target = this.#target;
    if (typeof target === "string") return { path: target };
    const port = typeof target === "object" ? target[this.#turns++ % target.length] : target;
    return port === undefined ? undefined : { port };
  }

  #pipe(from: Socket, to: Socket, isAwaited: (part: Buffer) => boolean): void {
    from.on("data", (part: Buffer) => {
      if (isAwaited(part)) this.hold();
      if (this.#isHeld) from.unshift(part);
      else if (!to.write(part)) {
        from.pause();
        to.once("drain", () => this.#isHeld || from.resume());
      }
    });
    from.on("end", () => to.end());
    // the other end hears of it by "close"
    from.on("error", () => undefined);
  }

  #isAwaited(part: Buffer): boolean {
    if (!this.#awaited || !part.includes(this.#awaited.marker)) return false;
    this.#awaited.reached();
    this.#awaited = undefined;
    return true;
  }
}
