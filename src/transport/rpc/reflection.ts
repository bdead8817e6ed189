import {
  type DescFile,
  type DescMessage,
  type DescService,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code, type ConnectRouter } from "@connectrpc/connect";
import {
  ServerReflection,
  type ServerReflectionRequest,
  type ServerReflectionResponseSchema,
} from "../../../gen/grpc/reflection/v1/reflection_pb.ts";

type Response = MessageInitShape<typeof ServerReflectionResponseSchema>["messageResponse"];

/** All proto files, including imports, by name and by the symbols they declare. */
interface Index {
  readonly services: readonly string[];
  readonly files: ReadonlyMap<string, DescFile>;
  readonly symbols: ReadonlyMap<string, DescFile>;
  readonly extensions: ReadonlyMap<string, ReadonlyMap<number, DescFile>>;
}

/** grpc.reflection.v1 for `services`, open to all; also finds symbols of the additional `files`. */
export function registerReflection(
  router: ConnectRouter,
  services: readonly DescService[],
  files: readonly DescFile[],
): void {
  const index = indexOf(services, files);
  router.service(ServerReflection, {
    async *serverReflectionInfo(requests) {
      for await (const request of requests) {
        yield { validHost: request.host, originalRequest: request, messageResponse: answer(index, request) };
      }
    },
  });
}

function answer(index: Index, { messageRequest: asked }: ServerReflectionRequest): Response {
  switch (asked.case) {
    case "listServices":
      return { case: "listServicesResponse", value: { service: index.services.map((name) => ({ name })) } };
    case "fileByFilename":
      return fileAnswer(index.files.get(asked.value), asked.value);
    case "fileContainingSymbol":
      return fileAnswer(index.symbols.get(asked.value), asked.value);
    case "fileContainingExtension": {
      const { containingType, extensionNumber } = asked.value;
      return fileAnswer(
        index.extensions.get(containingType)?.get(extensionNumber),
        `${containingType} ${extensionNumber}`,
      );
    }
    case "allExtensionNumbersOfType":
      if (!index.symbols.has(asked.value)) return missing(asked.value);
      return {
        case: "allExtensionNumbersResponse",
        value: {
          baseTypeName: asked.value,
          extensionNumber: [...(index.extensions.get(asked.value)?.keys() ?? [])],
        },
      };
    case undefined:
      return {
        case: "errorResponse",
        value: { errorCode: Code.InvalidArgument, errorMessage: "the request is empty" },
      };
  }
}

/** Serialized responses by file, so that a small request does not serialize many files each time. */
const written = new WeakMap<DescFile, Response>();

function fileAnswer(file: DescFile | undefined, name: string): Response {
  if (file === undefined) return missing(name);
  const known = written.get(file) ?? withImports(file);
  written.set(file, known);
  return known;
}

/** A file and all its imports; the file comes first. */
function withImports(file: DescFile): Response {
  const found = new Map<string, Uint8Array>();
  const take = (one: DescFile) => {
    if (found.has(one.proto.name)) return;
    for (const dependency of one.dependencies) take(dependency);
    found.set(one.proto.name, toBinary(FileDescriptorProtoSchema, one.proto));
  };
  take(file);
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto: [...found.values()].reverse() } };
}

function missing(name: string): Response {
  return {
    case: "errorResponse",
    value: { errorCode: Code.NotFound, errorMessage: `not found: ${name.slice(0, 200)}` },
  };
}

function indexOf(services: readonly DescService[], more: readonly DescFile[]): Index {
  const files = new Map<string, DescFile>();
  const symbols = new Map<string, DescFile>();
  const extensions = new Map<string, Map<number, DescFile>>();
  const addMessage = (message: DescMessage, file: DescFile) => {
    symbols.set(message.typeName, file);
    for (const field of message.fields) symbols.set(`${message.typeName}.${field.name}`, file);
    for (const inner of message.nestedEnums) symbols.set(inner.typeName, file);
    for (const inner of message.nestedMessages) addMessage(inner, file);
  };
  const add = (file: DescFile) => {
    if (files.has(file.proto.name)) return;
    files.set(file.proto.name, file);
    for (const message of file.messages) addMessage(message, file);
    for (const item of file.enums) symbols.set(item.typeName, file);
    for (const service of file.services) {
      symbols.set(service.typeName, file);
      for (const method of service.methods) symbols.set(`${service.typeName}.${method.name}`, file);
    }
    for (const extension of file.extensions) {
      symbols.set(extension.typeName, file);
      const numbers = extensions.get(extension.extendee.typeName) ?? new Map<number, DescFile>();
      extensions.set(extension.extendee.typeName, numbers.set(extension.number, file));
    }
    for (const dependency of file.dependencies) add(dependency);
  };
  for (const file of [...services.map((service) => service.file), ...more]) add(file);
  return { services: services.map((service) => service.typeName).sort(), files, symbols, extensions };
}
