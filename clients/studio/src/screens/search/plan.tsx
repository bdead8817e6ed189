import type { SearchResponse } from "../../../../typescript/src/gen/ctxdb/v1/search_pb.ts";
import { plural } from "../../text/format.ts";
import { visibleText } from "../../text/uri.ts";
import { Badge } from "../../ui/layout.tsx";

/** The planned queries of a search, and what each found. */
export function Plan({ answer }: { readonly answer: SearchResponse }) {
  const { queryPlan, queryResults } = answer;
  return (
    <div className="flex flex-col gap-4 text-[13px]">
      {queryPlan !== undefined && queryPlan.reasoning !== "" && <p>{visibleText(queryPlan.reasoning)}</p>}
      {queryPlan !== undefined && queryPlan.sessionContext !== "" && (
        <p className="rounded-lg bg-sunken p-3">
          <span className="font-medium">From the session:</span> {visibleText(queryPlan.sessionContext)}
        </p>
      )}
      <ol className="flex flex-col gap-3">
        {queryResults.map(({ query, contextType, matchedContexts, thinkingTrace }) => (
          <li key={`${contextType} ${query}`} className="rounded-lg border border-line p-3">
            <p className="flex flex-wrap items-center gap-2 font-medium">
              “{visibleText(query)}” <Badge>{contextType}</Badge>
              <span className="font-normal text-soft">{plural(matchedContexts.length, "hit")}</span>
            </p>
            <ol className="mt-1 list-decimal pl-5 text-soft">
              {thinkingTrace.map((step) => (
                <li key={step}>{visibleText(step)}</li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </div>
  );
}
