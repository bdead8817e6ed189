// Writes the comments of proto/ctxdb into a TypeScript table: protobuf-es drops them at run time, but the
// OpenAPI document needs them.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

// Field numbers of descriptor.proto, from which the paths in SourceCodeInfo are built.
const MESSAGE_IN_FILE = 4;
const SERVICE_IN_FILE = 6;
const FIELD_IN_MESSAGE = 2;
const METHOD_IN_SERVICE = 2;

/**
 * Returns the full name for a path, for example "ctxdb.v1.FindRequest.query" for [4, i, 2, j]. Returns
 * undefined if the path leads to anything but a message, field, service or method.
 */
function nameOf(file: FileDescriptorProto, path: number[]): string | undefined {
  const [kind, index, innerKind, innerIndex] = path;
  const inner = innerIndex ?? -1;
  if (path.length !== 2 && path.length !== 4) return undefined;
  if (kind === MESSAGE_IN_FILE) {
    const message = file.messageType[index ?? -1];
    const field = innerKind === FIELD_IN_MESSAGE ? message?.field[inner] : undefined;
    return path.length === 2 ? message?.name : field && `${message?.name}.${field.name}`;
  }
  if (kind === SERVICE_IN_FILE) {
    const service = file.service[index ?? -1];
    const method = innerKind === METHOD_IN_SERVICE ? service?.method[inner] : undefined;
    return path.length === 2 ? service?.name : method && `${service?.name}.${method.name}`;
  }
  return undefined;
}

const [target] = process.argv.slice(2);
if (!target) throw new Error("usage: comments.ts FILE");
const image = execFileSync("buf", ["build", "proto", "-o", "-#format=binpb"], { maxBuffer: MAX_IMAGE_BYTES });
const table: Record<string, string> = {};
for (const file of fromBinary(FileDescriptorSetSchema, image).file) {
  if (!file.package.startsWith("ctxdb.")) continue;
  for (const location of file.sourceCodeInfo?.location ?? []) {
    const name = nameOf(file, location.path);
    if (name && location.leadingComments)
      table[`${file.package}.${name}`] = location.leadingComments.trim().replace(/\s+/g, " ");
  }
}
const lines = Object.keys(table)
  .sort()
  .map((name) => `  ${JSON.stringify(name)}: ${JSON.stringify(table[name])},\n`);
writeFileSync(
  target,
  `// @generated from the comments of proto/ by scripts/comments.ts\n/** Full name of a message, field, service or method → its comment. */\n` +
    `export const comments: Readonly<Record<string, string>> = {\n${lines.join("")}};\n`,
);
