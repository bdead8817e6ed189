import type {
  DescMethod,
  DescMethodClientStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
} from "@bufbuild/protobuf";
import { FileChunkSchema } from "../../../gen/ctxdb/v1/file_chunk_pb.ts";
import { ServiceError } from "../../domain/errors.ts";
import { type Operation, operationName } from "../operation.ts";

/** Methods of `services` that have no operation. */
export function missingMethods(
  services: readonly DescService[],
  operations: readonly Operation[],
): DescMethod[] {
  const served = new Set(operations.map((operation) => operation.name));
  return services
    .flatMap((service) => service.methods)
    .filter((method) => !served.has(operationName(method)));
}

/** Implements methods without an operation: authenticated callers get UNIMPLEMENTED naming the method. */
export function unimplemented(
  services: readonly DescService[],
  operations: readonly Operation[],
): Operation[] {
  return missingMethods(services, operations).map(standIn);
}

function standIn(method: DescMethod): Operation {
  const name = operationName(method);
  const refuse = async () => {
    throw new ServiceError("UNIMPLEMENTED", `${name} is not implemented`, { operation: name });
  };
  switch (method.methodKind) {
    case "unary":
      return {
        kind: "unary",
        name,
        access: "caller",
        effect: "reads",
        method: method as DescMethodUnary,
        handle: refuse,
      };
    case "server_streaming": {
      const streaming = method as DescMethodServerStreaming;
      if (method.output.typeName === FileChunkSchema.typeName)
        return { kind: "download", name, access: "caller", effect: "reads", method: streaming, open: refuse };
      return {
        kind: "feed",
        name,
        access: "caller",
        effect: "reads",
        method: streaming,
        follow: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
      };
    }
    case "client_streaming":
      return {
        kind: "upload",
        name,
        access: "caller",
        effect: "reads",
        method: method as DescMethodClientStreaming,
        receive: refuse,
      };
    case "bidi_streaming":
      throw new Error(`${name} is a bidirectional stream, which only gRPC supports`);
  }
}
