import { create, type JsonObject, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { type Code as ConnectCode, ConnectError } from "@connectrpc/connect";
import { type ErrorDetail, ErrorDetailSchema } from "../../../gen/ctxdb/v1/error_pb.ts";
import { StatusSchema } from "../../../gen/google/rpc/status_pb.ts";
import { type ServiceError, STATUS } from "../../domain/errors.ts";

/** The canonical status of an error (answers 2.6). */
export const grpcCode = (error: ServiceError): number => STATUS[error.code].grpc;

/** The exact code of the specification, for the details of a status (ruling E13). */
export function errorDetail(error: ServiceError): ErrorDetail {
  const { code, message, details } = error;
  return create(ErrorDetailSchema, { code, message: message.toWellFormed(), ...(details && { details: plain(details) }) });
}

/** JSON values alone, every string well-formed: what a Struct can hold. */
function plain(details: Record<string, unknown>): JsonObject {
  return JSON.parse(JSON.stringify(details, (_, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value)));
}

/** What gRPC and gRPC-Web send at the end of a failed call. */
export function errorTrailers(error: ServiceError): Record<string, string> {
  const code = grpcCode(error);
  const message = error.message.toWellFormed();
  const status = create(StatusSchema, { code, message, details: [anyPack(ErrorDetailSchema, errorDetail(error))] });
  return {
    "grpc-status": String(code),
    "grpc-message": message.replace(/[^\x20-\x24\x26-\x7e]+/gu, encodeURIComponent),
    "grpc-status-details-bin": base64(toBinary(StatusSchema, status)),
  };
}

/** Connect's names of the canonical codes, and the HTTP status of each. */
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

/** The body and HTTP status of a failed unary Connect call. */
export function connectFailure(error: ServiceError): { readonly http: number; readonly text: string } {
  const [code, http] = CONNECT[grpcCode(error)] ?? ["internal", 500];
  const detail = errorDetail(error);
  const value = base64(toBinary(ErrorDetailSchema, detail));
  const debug = { code: detail.code, message: detail.message, ...(detail.details && { details: detail.details }) };
  return { http, text: JSON.stringify({ code, message: error.message, details: [{ type: ErrorDetailSchema.typeName, value, debug }] }) };
}

/** The error as the streaming handlers of the framework take it. */
export function connectError(error: ServiceError): ConnectError {
  return new ConnectError(error.message.toWellFormed(), grpcCode(error) as ConnectCode, undefined, [
    { desc: ErrorDetailSchema, value: errorDetail(error) },
  ]);
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replace(/=+$/, "");
