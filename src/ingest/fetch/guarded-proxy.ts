import { connect, createServer, isIPv6, type Server, type Socket } from "node:net";
import { invalidArgument, ServiceError, unavailable } from "../../domain/errors.ts";
import type { AddressGuard } from "./guard.ts";

const CONNECT_LIMIT_MS = 10_000;
const HANDSHAKE_LIMIT_MS = 10_000;
const SILENCE_LIMIT_MS = 60_000;
const MAX_CONNECTIONS = 16;
const VERSION = 5;
const CONNECT = 1;
const BY_IPV4 = 1;
const BY_NAME = 3;
const BY_IPV6 = 4;
/** Maximum length of a SOCKS request, with a name of 255 bytes. */
const MAX_REQUEST_BYTES = 262;

export interface ProxyOptions {
  readonly guard: AddressGuard;
  /** Maximum bytes received by all connections together. */
  readonly maxBytes: number;
  readonly onBytes: (received: number) => void;
}

/**
 * A SOCKS 5 proxy on loopback that checks addresses with the guard, for programs that resolve names and
 * connect by themselves.
 */
export class GuardedProxy {
  readonly #options: ProxyOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Fixed target of all connections, if any. */
  readonly #fixed: { readonly host: string; readonly port: number } | undefined;
  #received = 0;
  /** Error for the first refused address; clearer than the program's own error. */
  fault: ServiceError | undefined;

  private constructor(
    options: ProxyOptions,
    fixed: { readonly host: string; readonly port: number } | undefined,
  ) {
    this.#options = options;
    this.#fixed = fixed;
    this.#server = createServer((client) => this.#accept(client));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /**
   * Opens the proxy. With `fixed`, it forwards every connection to that target, for programs without proxy
   * support.
   */
  static async open(
    options: ProxyOptions,
    fixed?: { readonly host: string; readonly port: number },
  ): Promise<GuardedProxy> {
    const proxy = new GuardedProxy(options, fixed);
    await new Promise<void>((resolve, reject) => {
      // keep this listener: failing to accept a connection is an error, too
      proxy.#server.on("error", reject);
      proxy.#server.listen(0, "127.0.0.1", resolve);
    });
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  /** Bytes received by all connections together. */
  get received(): number {
    return this.#received;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(client: Socket): void {
    this.#hold(client, HANDSHAKE_LIMIT_MS);
    const serve = this.#fixed
      ? this.#relay(client, this.#fixed.host, this.#fixed.port)
      : this.#negotiate(client);
    serve.catch((error: unknown) => {
      this.fault ??=
        error instanceof ServiceError
          ? error
          : unavailable("the connection to the repository's host was lost; try again");
      client.destroy();
    });
  }

  async #negotiate(client: Socket): Promise<void> {
    const [, methods = 0] = await read(client, 2);
    await read(client, methods);
    client.write(Buffer.from([VERSION, 0]));
    const [version, command, , kind = 0] = await read(client, 4);
    if (version !== VERSION || command !== CONNECT)
      throw invalidArgument("path", "git sent a request that the import proxy does not support");
    const host = await hostOf(client, kind);
    const port = (await read(client, 2)).readUInt16BE(0);
    await this.#relay(client, host, port, () =>
      client.write(Buffer.from([VERSION, 0, 0, BY_IPV4, 0, 0, 0, 0, 0, 0])),
    );
  }

  async #relay(
    client: Socket,
    host: string,
    port: number,
    onConnected: () => void = () => undefined,
  ): Promise<void> {
    const [first] = await this.#options.guard.addressesOf(isIPv6(host) ? `[${host}]` : host, port);
    if (!first) throw unavailable(`${host} has no IP address: check the host name`);
    const remote = connect({ host: first.address, port, family: first.family, timeout: CONNECT_LIMIT_MS });
    this.#hold(remote, CONNECT_LIMIT_MS);
    await new Promise<void>((resolve, reject) => {
      remote.once("connect", resolve);
      remote.once("close", () =>
        reject(unavailable(`${host} cannot be reached: check the address, or try again later`)),
      );
    });
    for (const socket of [client, remote]) socket.setTimeout(SILENCE_LIMIT_MS);
    remote.on("data", (part: Buffer) => this.#count(part.length));
    remote.once("close", () => client.destroy());
    client.once("close", () => remote.destroy());
    onConnected();
    client.pipe(remote);
    remote.pipe(client);
  }

  #count(bytes: number): void {
    this.#received += bytes;
    this.#options.onBytes(this.#received);
    if (this.#received <= this.#options.maxBytes) return;
    this.fault ??= invalidArgument("path", `the repository is larger than ${this.#options.maxBytes} bytes`);
    this.close();
  }

  #hold(socket: Socket, limitMs: number): void {
    this.#sockets.add(socket);
    socket.setTimeout(limitMs, () => socket.destroy());
    socket.on("error", () => undefined);
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

/** Reads exactly `length` bytes of a handshake. */
async function read(socket: Socket, length: number): Promise<Buffer> {
  if (length > MAX_REQUEST_BYTES)
    throw invalidArgument("path", "git sent a request that the import proxy does not support");
  for (;;) {
    const part: Buffer | null = length === 0 ? Buffer.alloc(0) : socket.read(length);
    if (part !== null && part.length === length) return part;
    if (part !== null || socket.destroyed || socket.readableEnded)
      throw unavailable("the connection to the repository's host was lost; try again");
    await new Promise<void>((resolve) => {
      const go = () => {
        for (const event of ["readable", "end", "close"]) socket.off(event, go);
        resolve();
      };
      for (const event of ["readable", "end", "close"]) socket.on(event, go);
    });
  }
}

async function hostOf(client: Socket, kind: number): Promise<string> {
  if (kind === BY_NAME) {
    const [length = 0] = await read(client, 1);
    return (await read(client, length)).toString("latin1");
  }
  if (kind === BY_IPV4) return [...(await read(client, 4))].join(".");
  if (kind !== BY_IPV6)
    throw invalidArgument("path", "git sent a request that the import proxy does not support");
  const bytes = await read(client, 16);
  return Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2).toString(16)).join(":");
}
