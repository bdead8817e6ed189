import type { Value } from "@bufbuild/protobuf/wkt";
import { SearchService } from "../../../gen/ctxdb/v1/search_pb.ts";
import { type FindDeps, findContexts } from "../../service/search/find.ts";
import { glob } from "../../service/search/glob.ts";
import { grep } from "../../service/search/grep.ts";
import { type Operation, unary } from "../operation.ts";

const { method } = SearchService;

export const searchOperations = (deps: FindDeps): Operation[] => [
  unary(method.find, (call, request) => findContexts(deps, call, { ...request, targetUris: textsOf(request.targetUri) })),
  unary(method.grep, (call, request) => grep(deps, call, request)),
  unary(method.glob, (call, request) => glob(deps, call, request)),
];

/** A string or an array of strings; nothing for null. */
function textsOf(value: Value | undefined): string[] {
  if (value?.kind.case === "stringValue") return [value.kind.value];
  if (value?.kind.case !== "listValue") return [];
  return value.kind.value.values.flatMap(({ kind }) => (kind.case === "stringValue" ? [kind.value] : []));
}
