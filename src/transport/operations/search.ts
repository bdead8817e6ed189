import { SearchService } from "../../../gen/ctxdb/v1/search_pb.ts";
import type { Cursors } from "../../service/cursors.ts";
import { findContexts } from "../../service/search/find.ts";
import { glob } from "../../service/search/glob.ts";
import { grep } from "../../service/search/grep.ts";
import { recall } from "../../service/search/recall.ts";
import type { SearchDeps } from "../../service/search/run-search.ts";
import { searchContexts } from "../../service/search/search.ts";
import { textsOf } from "../message-fields.ts";
import { type Operation, unary } from "../operation.ts";

const { method } = SearchService;

export const searchOperations = (deps: SearchDeps & { readonly cursors: Cursors }): Operation[] => [
  unary(method.find, (call, request) =>
    findContexts(deps, call, { ...request, targetUris: textsOf(request.targetUri) }),
  ),
  unary(method.search, async (call, request) => {
    const { queryPlan, ...found } = await searchContexts(deps, call, {
      ...request,
      targetUris: textsOf(request.targetUri),
    });
    return { ...found, queryPlan: { ...queryPlan, queries: [...queryPlan.queries] } };
  }),
  unary(method.recall, (call, request) =>
    recall(deps, call, { ...request, targetUris: textsOf(request.targetUri) }),
  ),
  unary(method.grep, (call, request) => grep(deps, call, request)),
  unary(method.glob, (call, request) => glob(deps, call, request)),
];
