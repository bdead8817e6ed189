import { SearchService } from "../../../gen/ctxdb/v1/search_pb.ts";
import { type FindDeps, findContexts } from "../../service/search/find.ts";
import { glob } from "../../service/search/glob.ts";
import { grep } from "../../service/search/grep.ts";
import { type Operation, unary } from "../operation.ts";
import { textsOf } from "./values.ts";

const { method } = SearchService;

export const searchOperations = (deps: FindDeps): Operation[] => [
  unary(method.find, (call, request) => findContexts(deps, call, { ...request, targetUris: textsOf(request.targetUri) })),
  unary(method.grep, (call, request) => grep(deps, call, request)),
  unary(method.glob, (call, request) => glob(deps, call, request)),
];
