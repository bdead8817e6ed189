import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http2";
import { codeOf } from "../../base/faults.ts";
import type { HttpRequest, HttpResponse } from "../connections/connections.ts";
import { hasBody } from "../request-body.ts";
import { cutUnlessTaken, drain, drained, hasLeft, writeHead, writePiece } from "../respond.ts";
import { headersBack } from "./forwarded-headers.ts";
import { COMPLETE, MOVED } from "./hop.ts";

const MISDIRECTED = 421;
/** Methods without effects, which may be repeated after an unknown outcome. */
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PROPFIND"]);
/** Error codes of a connection that accepts no more requests. */
const ENDED: ReadonlySet<string> = new Set(["ERR_HTTP2_GOAWAY_SESSION", "ERR_HTTP2_INVALID_SESSION"]);
const GRPC = /^application\/grpc(?!-web)/;
const GRPC_UNAVAILABLE = 14;
/**
 * Maximum bytes of a body that is sent along with its headers if it has arrived; sending it twice costs
 * little.
 */
const SMALL_BODY = 16 * 1024;

/**
 * Outcome of a forwarded request: `answered`, `broken` (the response ended early), `left` by its caller,
 * `untouched` (the other server has not processed it, so it may be repeated), `refused` because HTTP/2 cannot
 * carry its headers, or `unknown`.
 */
export type Passed = "answered" | "broken" | "left" | "untouched" | "refused" | "unknown";

/**
 * Forwards one request to its owner and the response to the caller, with flow control in both directions. A
 * body that has not arrived or is not small is sent only after the owner has accepted the request; until then
 * it can be sent to another server.
 */
export class ForwardedRequest {
  readonly #request: HttpRequest;
  readonly #response: HttpResponse;
  #stream: ClientHttp2Stream | undefined;
  #isAccepted = false;
  #isMoved = false;
  #isEnded = false;
  #trailers: IncomingHttpHeaders | undefined;
  readonly #cancel = () => this.#stream?.close(constants.NGHTTP2_CANCEL);

  constructor(request: HttpRequest, response: HttpResponse) {
    this.#request = request;
    this.#response = response;
  }

  /** Never rejects. */
  async run(session: ClientHttp2Session, headers: OutgoingHttpHeaders): Promise<Passed> {
    const small = await this.#smallBody();
    if (hasLeft(this.#response)) return "left";
    return new Promise((resolve) => {
      let stream: ClientHttp2Stream;
      try {
        stream = session.request(headers, { endStream: !this.#hasBody });
      } catch (error) {
        // the connection has just ended; any other error is caused by the headers
        resolve(ENDED.has(codeOf(error)) ? "untouched" : "refused");
        return;
      }
      this.#stream = stream;
      this.#follow(stream);
      if (small) stream.end(small);
      stream.once("close", () => {
        this.#response.off("close", this.#cancel);
        this.#request.removeAllListeners("data");
        resolve(this.#finish(stream));
      });
    });
  }

  get #hasBody(): boolean {
    const request = this.#request;
    return "stream" in request ? !request.stream.endAfterHeaders : hasBody(request);
  }

  /** The whole body if it is small and has arrived. The request keeps it, for another attempt. */
  async #smallBody(): Promise<Buffer | undefined> {
    if (!this.#hasBody) return undefined;
    const request = this.#request;
    request.read(0);
    // bytes that came with the headers are readable after one turn of the event loop
    await new Promise((resolve) => setImmediate(resolve));
    if (!hasArrived(request) || request.readableLength === 0 || request.readableLength > SMALL_BODY)
      return undefined;
    const body: Buffer | null = request.read();
    if (!body) return undefined;
    request.unshift(body);
    return body;
  }

  #follow(stream: ClientHttp2Stream): void {
    this.#response.once("close", this.#cancel);
    // status 1xx: the owner holds the workspace
    stream.on("headers", () => this.#accept(stream));
    stream.once("response", (headers, flags) => this.#begin(stream, headers, flags));
    stream.on("trailers", (trailers) => {
      this.#trailers = trailers;
    });
    stream.on("error", () => undefined);
  }

  #accept(stream: ClientHttp2Stream): void {
    if (this.#isAccepted) return;
    this.#isAccepted = true;
    const request = this.#request;
    // the body is sent already, or refused: read it to its end, so that the request does not count as idle
    if (!stream.writable) {
      request.resume();
      return;
    }
    request.on("data", (chunk: Buffer) => {
      if (stream.writable && !stream.write(chunk)) request.pause();
    });
    stream.on("drain", () => request.resume());
    request.once("end", () => (request.aborted ? this.#cancel() : stream.end()));
    request.once("aborted", this.#cancel);
    request.resume();
  }

  #begin(stream: ClientHttp2Stream, headers: IncomingHttpHeaders, flags: number): void {
    const response = this.#response;
    const status = Number(headers[":status"]);
    if (status === MISDIRECTED && headers[MOVED] !== undefined) {
      this.#isMoved = true;
      stream.close();
      return;
    }
    this.#accept(stream);
    if (hasLeft(response)) {
      this.#cancel();
      return;
    }
    const sent = headersBack(headers, response);
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) {
      // headers and end in one frame, as gRPC requires for a status without messages
      response.statusCode = status;
      for (const [name, value] of Object.entries(sent)) response.setHeader(name, value);
      this.#end(stream);
      return;
    }
    writeHead(response, status, sent);
    stream.on("data", (chunk: Buffer) => {
      if (hasLeft(response) || writePiece(response, chunk)) return;
      stream.pause();
      void drained(response).then((isRead) => (isRead ? stream.resume() : this.#cancel()));
    });
    stream.once("end", () => {
      if (this.#trailers?.[COMPLETE] === undefined) return;
      response.addTrailers(headersBack(this.#trailers, response));
      this.#end(stream);
    });
  }

  #end(stream: ClientHttp2Stream): void {
    this.#isEnded = true;
    this.#response.end();
    // the owner does not need the rest of the body
    if (!stream.writableEnded) stream.close();
  }

  #finish(stream: ClientHttp2Stream): Passed {
    const response = this.#response;
    if (this.#isEnded) {
      cutUnlessTaken(response);
      drain(this.#request);
      return "answered";
    }
    if (hasLeft(response)) return "left";
    if (response.headersSent) {
      this.#breakOff();
      return "broken";
    }
    const isRefused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
    const isSafe = SAFE.has(this.#request.method ?? "");
    const isRepeatable = !this.#isAccepted && (isRefused || this.#isMoved || isSafe);
    return isRepeatable ? "untouched" : "unknown";
  }

  /** Signals to the caller that the response is incomplete. */
  #breakOff(): void {
    const response = this.#response;
    if ("stream" in response && GRPC.test(String(response.getHeader("content-type")))) {
      response.addTrailers({
        "grpc-status": GRPC_UNAVAILABLE,
        "grpc-message": "the server that owns the account broke off the response",
      });
      response.end();
    } else response.destroy();
  }
}

/** Whether the whole body is in memory. Over HTTP/2, `complete` is also true for an aborted request. */
function hasArrived(request: HttpRequest): boolean {
  if (!("stream" in request)) return request.complete && !request.aborted;
  const { stream } = request;
  return stream.readableEnded && !stream.closed && !stream.destroyed;
}
