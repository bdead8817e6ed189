import { fromBinary } from "@bufbuild/protobuf";
import { type Code, ConnectError } from "@connectrpc/connect";
import type { Metadata, ServiceError } from "@grpc/grpc-js";
import { StatusSchema } from "../gen/google/rpc/status_pb.ts";

const DETAILS = "grpc-status-details-bin";

/** The text values of metadata as headers; binary values are omitted. */
export function headersOf(metadata: Metadata | undefined): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(metadata?.getMap() ?? {})) {
    if (typeof value === "string") headers.set(name, value);
  }
  return headers;
}

/**
 * Converts an error of grpc-js to the error of a transport, with code, details and metadata. `early`: headers
 * received before it.
 */
export function connectErrorOf(thrown: unknown, early?: Headers): unknown {
  if (!isServiceError(thrown)) return thrown;
  const metadata = headersOf(thrown.metadata);
  early?.forEach((value, name) => {
    metadata.set(name, value);
  });
  const error = new ConnectError(thrown.details, thrown.code as number as Code, metadata, undefined, thrown);
  const [packed] = thrown.metadata.get(DETAILS);
  if (packed instanceof Uint8Array) {
    error.details = fromBinary(StatusSchema, packed).details.map(({ typeUrl, value }) => ({
      type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
      value,
    }));
  }
  return error;
}

const isServiceError = (thrown: unknown): thrown is ServiceError =>
  thrown instanceof Error && "code" in thrown && "metadata" in thrown;
