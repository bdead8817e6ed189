import { create, fromBinary, type JsonObject, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { type Code as ConnectCode, ConnectError } from "@connectrpc/connect";
import { type ErrorDetail, ErrorDetailSchema } from "../../../gen/ctxdb/v1/error_pb.ts";
import { StatusSchema } from "../../../gen/google/rpc/status_pb.ts";
import { itemAt } from "../../base/expect.ts";
import { type Code, ServiceError, STATUS } from "../../domain/errors.ts";
import { retryAfter } from "../errors.ts";

/** The gRPC status of an error. */
export const grpcCode = (error: ServiceError): number => STATUS[error.code].grpc;

/** The API's error code as a status detail. Strings longer than `length` are cut. */
export function errorDetail(error: ServiceError, length = Number.POSITIVE_INFINITY): ErrorDetail {
  const { code, message, details } = error;
  return create(ErrorDetailSchema, {
    code,
    message: clipped(message, length),
    ...(details && { details: plain(details, length) }),
  });
}

/** Restricts details to JSON values with well-formed strings, as a Struct requires. */
function plain(details: Record<string, unknown>, length: number): JsonObject {
  return JSON.parse(
    JSON.stringify(details, (_, value: unknown) =>
      typeof value === "string" ? clipped(value, length) : value,
    ),
  );
}

const clipped = (text: string, length: number): string =>
  (text.length > length ? `${text.slice(0, length)}…` : text).toWellFormed();

/**
 * Maximum bytes of trailers. Clients accept 8 KiB of metadata; above it, they report an error of their own
 * instead.
 */
const MAX_TRAILER_BYTES = 6 * 1024;
/** Lengths to which an error's strings are cut, tried in order. */
const STRING_LENGTHS = [Number.POSITIVE_INFINITY, 500, 60] as const;

/** The trailers of a failed gRPC or gRPC-Web call. Long strings are cut to fit the clients' limit. */
export const errorTrailers = (error: ServiceError): Record<string, string> => trailersOf(...fitted(error));

/** The error and the longest string limit that fits into the metadata; without its details if none fits. */
function fitted(error: ServiceError): [error: ServiceError, length: number] {
  const length = STRING_LENGTHS.find((one) => sizeOf(trailersOf(error, one)) <= MAX_TRAILER_BYTES);
  return length === undefined
    ? [new ServiceError(error.code, error.message), STRING_LENGTHS[2]]
    : [error, length];
}

const sizeOf = (trailers: Readonly<Record<string, string>>): number =>
  Object.values(trailers).reduce((sum, text) => sum + text.length, 0);

function trailersOf(error: ServiceError, length: number): Record<string, string> {
  const code = grpcCode(error);
  const message = clipped(error.message, length);
  const status = create(StatusSchema, {
    code,
    message,
    details: [anyPack(ErrorDetailSchema, errorDetail(error, length))],
  });
  return {
    "grpc-status": String(code),
    "grpc-message": message.replace(/[^\x20-\x24\x26-\x7e]+/gu, encodeURIComponent),
    "grpc-status-details-bin": base64(toBinary(StatusSchema, status)),
    ...retryAfter(error),
  };
}

/** Connect's names of the gRPC codes, with HTTP status. */
const CONNECT: Readonly<Record<number, readonly [name: string, http: number]>> = {
  3: ["invalid_argument", 400],
  4: ["deadline_exceeded", 504],
  5: ["not_found", 404],
  6: ["already_exists", 409],
  7: ["permission_denied", 403],
  8: ["resource_exhausted", 429],
  9: ["failed_precondition", 400],
  12: ["unimplemented", 501],
  13: ["internal", 500],
  14: ["unavailable", 503],
  16: ["unauthenticated", 401],
};

const CODES = Object.keys(STATUS) as Code[];

/** Body and HTTP status of a failed unary Connect call. */
export function connectFailure(error: ServiceError): { readonly http: number; readonly text: string } {
  const [code, http] = CONNECT[grpcCode(error)] ?? ["internal", 500];
  const detail = errorDetail(error);
  const value = base64(toBinary(ErrorDetailSchema, detail));
  const debug = {
    code: detail.code,
    message: detail.message,
    ...(detail.details && { details: detail.details }),
  };
  return {
    http,
    text: JSON.stringify({
      code,
      message: error.message,
      details: [{ type: ErrorDetailSchema.typeName, value, debug }],
    }),
  };
}

/** The error in the body of a failed unary Connect call of this API; undefined if there is none. */
export function failureIn(text: string): ServiceError | undefined {
  try {
    const { details } = JSON.parse(text) as { details: { value: string }[] };
    const detail = fromBinary(ErrorDetailSchema, Buffer.from(itemAt(details, 0).value, "base64"));
    const code = CODES.find((one) => one === detail.code);
    return code && new ServiceError(code, detail.message, detail.details);
  } catch {
    return undefined;
  }
}

/** Converts an error for the framework's streaming handlers. */
export function connectError(failure: ServiceError): ConnectError {
  const [error, length] = fitted(failure);
  return new ConnectError(clipped(error.message, length), grpcCode(error) as ConnectCode, retryAfter(error), [
    { desc: ErrorDetailSchema, value: errorDetail(error, length) },
  ]);
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replace(/=+$/, "");
