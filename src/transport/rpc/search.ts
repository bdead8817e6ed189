import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { SearchService } from "../../../gen/ctxdb/v1/search_pb.ts";
import type { MatchedContext } from "../../retrieve/hydrate.ts";
import type { Cursors } from "../../service/cursors.ts";
import { findContexts } from "../../service/search/find.ts";
import { glob } from "../../service/search/glob.ts";
import { grep } from "../../service/search/grep.ts";
import type { FindResult, SearchDeps } from "../../service/search/run-search.ts";
import { searchContexts } from "../../service/search/search.ts";
import { type Operation, unary } from "../operation.ts";
import { textsOf } from "./values.ts";

const { method } = SearchService;

export const searchOperations = (deps: SearchDeps & { readonly cursors: Cursors }): Operation[] => [
  unary(method.find, async (call, request) =>
    answerOf(await findContexts(deps, call, { ...request, targetUris: textsOf(request.targetUri) })),
  ),
  unary(method.search, async (call, request) => {
    const { queryPlan, queryResults, ...found } = await searchContexts(deps, call, {
      ...request,
      targetUris: textsOf(request.targetUri),
    });
    const results = queryResults.map((result) => ({
      ...result,
      matchedContexts: result.matchedContexts.map(contextOf),
    }));
    return {
      ...answerOf(found),
      queryPlan: { ...queryPlan, queries: [...queryPlan.queries] },
      queryResults: results,
    };
  }),
  unary(method.grep, (call, request) => grep(deps, call, request)),
  unary(method.glob, (call, request) => glob(deps, call, request)),
];

function answerOf({
  memories,
  resources,
  skills,
  total,
  explain,
}: FindResult & { readonly explain?: object }) {
  const lists = {
    memories: memories.map(contextOf),
    resources: resources.map(contextOf),
    skills: skills.map(contextOf),
    total,
  };
  return explain === undefined ? lists : { ...lists, explain: jsonValue(explain) };
}

function contextOf({ explain, ...context }: MatchedContext) {
  return explain === undefined ? context : { ...context, explain: jsonValue(explain) };
}

const jsonValue = (json: object): Value => fromJson(ValueSchema, json as JsonValue);
