import { once } from "node:events";
import { connect, type Socket } from "node:net";

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEAD_BYTES = 9;
const DATA = 0;
const HEADERS = 1;
const RESET = 3;
const SETTINGS = 4;
const PING = 6;
const GOAWAY = 7;
const WINDOW_UPDATE = 8;
const END_STREAM = 1;
const ACK = 1;
const END_HEADERS = 4;
const LARGEST_WINDOW = 2 ** 31 - 1;
const FIRST_WINDOW = 65_535;

interface Waiting {
  bytes: number;
  readonly resolve: (bytes: number) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Unary gRPC calls over one HTTP/2 connection, framed by hand: a client based on node:http2 would need as
 * much CPU time as the measured server.
 */
export class GrpcConnection {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  #received: Buffer = Buffer.alloc(0);
  #stream = 1;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("the server closed the connection")));
    const window = Buffer.alloc(4);
    window.writeUInt32BE(LARGEST_WINDOW - FIRST_WINDOW);
    socket.write(
      Buffer.concat([Buffer.from(PREFACE), frame(SETTINGS, 0, 0), frame(WINDOW_UPDATE, 0, 0, window)]),
    );
  }

  static async open(port: number): Promise<GrpcConnection> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    return new GrpcConnection(socket);
  }

  /**
   * Size of the answer's messages in bytes; 0 if the call failed, since an error consists of trailers only.
   */
  send(headers: Buffer, message: Buffer): Promise<number> {
    const stream = this.#stream;
    this.#stream += 2;
    return new Promise((resolve, reject) => {
      this.#waiting.set(stream, { bytes: 0, resolve, reject });
      this.#socket.write(
        Buffer.concat([
          frame(HEADERS, END_HEADERS, stream, headers),
          frame(DATA, END_STREAM, stream, message),
        ]),
      );
    });
  }

  close(): void {
    this.#waiting.clear();
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    let at = 0;
    while (received.length - at >= HEAD_BYTES) {
      const length = received.readUIntBE(at, 3);
      if (received.length - at < HEAD_BYTES + length) break;
      this.#frame(
        received[at + 3]!,
        received[at + 4]!,
        received.readUInt32BE(at + 5),
        received.subarray(at + HEAD_BYTES, at + HEAD_BYTES + length),
      );
      at += HEAD_BYTES + length;
    }
    this.#received = received.subarray(at);
  }

  #frame(type: number, flags: number, stream: number, payload: Buffer): void {
    if (type === SETTINGS && (flags & ACK) === 0) this.#socket.write(frame(SETTINGS, ACK, 0));
    else if (type === PING && (flags & ACK) === 0) this.#socket.write(frame(PING, ACK, 0, payload));
    else if (type === GOAWAY) this.#fail(new Error("the server ends the connection"));
    else if (type === DATA || type === HEADERS || type === RESET) this.#answer(type, flags, stream, payload);
  }

  #answer(type: number, flags: number, stream: number, payload: Buffer): void {
    const waiting = this.#waiting.get(stream);
    if (waiting === undefined) return;
    if (type === DATA) waiting.bytes += payload.length;
    if (type !== RESET && (flags & END_STREAM) === 0) return;
    this.#waiting.delete(stream);
    waiting.resolve(type === RESET ? 0 : waiting.bytes);
  }

  #fail(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
  payload.copy(bytes, HEAD_BYTES);
  return bytes;
}

/**
 * Encodes the header block of a gRPC call: literals without indexing and without Huffman coding (RFC 7541
 * section 6.2.2).
 */
export function grpcHeaders(path: string): Buffer {
  const POST = 0x83;
  const HTTP = 0x86;
  const text = (value: string) => Buffer.concat([Buffer.of(value.length), Buffer.from(value, "latin1")]);
  return Buffer.concat([
    Buffer.of(POST, HTTP, 0x04),
    text(path),
    Buffer.of(0x01),
    text("127.0.0.1"),
    Buffer.of(0x0f, 0x10),
    text("application/grpc"),
    Buffer.of(0x00),
    text("te"),
    text("trailers"),
  ]);
}

/** Prefixes a message with its gRPC header: uncompressed, length. */
export function grpcMessage(message: Uint8Array): Buffer {
  const bytes = Buffer.alloc(5 + message.length);
  bytes.writeUInt32BE(message.length, 1);
  bytes.set(message, 5);
  return bytes;
}
