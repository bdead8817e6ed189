import type { JsonObject } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { type ErrorDetail, ErrorDetailSchema } from "./gen/ctxdb/v1/error_pb.ts";

/** What a failed call throws, on every wire. */
export class CtxdbError extends Error {
  override readonly name = "CtxdbError";
  /**
   * Code of the specification, for example NOT_FOUND; the canonical gRPC status, for example CANCELLED, where
   * the server sent none.
   */
  readonly code: string;
  /** Details for programs, for example {resource, type} of NOT_FOUND; empty if there are none. */
  readonly details: JsonObject;
  /** Names the call in the server's log; undefined where no server was reached. */
  readonly requestId: string | undefined;

  constructor(code: string, message: string, details: JsonObject = {}, requestId?: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }

  /** Seconds after which the server asks to retry; undefined where it does not say. */
  get retryAfter(): number | undefined {
    const wish = this.cause instanceof ConnectError ? this.cause.metadata.get("retry-after") : null;
    return wish && /^\d{1,6}$/.test(wish) ? Number(wish) : undefined;
  }

  /** `NOT_FOUND: …`, for people. */
  override toString(): string {
    return `${this.code}: ${this.message}`;
  }
}

/** `CANCELLED` for Code.Canceled, `NOT_FOUND` for Code.NotFound: the names of gRPC. */
function canonicalName(code: Code): string {
  if (code === Code.Canceled) return "CANCELLED";
  return Code[code].replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Whether the server was unreachable: it answered UNAVAILABLE, or the connection broke. */
export function isUnavailable(thrown: unknown): boolean {
  const { code, cause, rawMessage } = ConnectError.from(thrown);
  if (code === Code.Unavailable) return true;
  // connect-node calls a broken connection "aborted", a browser's fetch a TypeError; the server itself sends
  // neither
  if (code === Code.Aborted) return true;
  return (
    code === Code.Unknown &&
    (cause instanceof TypeError || /^(fetch failed|Failed to fetch)/.test(rawMessage))
  );
}

/** Converts anything thrown by a call to a CtxdbError; returns a CtxdbError unchanged. */
export function toCtxdbError(thrown: unknown): CtxdbError {
  if (thrown instanceof CtxdbError) return thrown;
  const error = ConnectError.from(thrown);
  // what the caller's own source threw, on its way through the transport
  if (error.cause instanceof CtxdbError) return error.cause;
  const requestId = error.metadata.get("x-request-id") ?? undefined;
  const [detail] = error.findDetails(ErrorDetailSchema);
  if (detail === undefined) {
    const code = isUnavailable(error) ? "UNAVAILABLE" : canonicalName(error.code);
    return new CtxdbError(code, error.rawMessage, {}, requestId, error);
  }
  return new CtxdbError(detail.code, detail.message, detail.details ?? {}, requestId, error);
}

/** The error that a failed task carries. */
export function taskError(detail: ErrorDetail | undefined): CtxdbError {
  return new CtxdbError(
    detail?.code ?? "UNKNOWN",
    detail?.message ?? "the task has failed",
    detail?.details ?? {},
  );
}
