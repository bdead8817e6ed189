import { Code2, SearchX } from "lucide-react";
import { useState } from "react";
import type {
  FindResponse,
  MatchedContext,
  SearchExplanation,
  SearchResponse,
} from "../../../../typescript/src/gen/ctxdb/v1/search_pb.ts";
import { showCalls } from "../../calls/panel-state.ts";
import { plural } from "../../text/format.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Explorations } from "./exploration.tsx";
import { HitCard } from "./hit-card.tsx";
import { hitsOf } from "./hits.ts";
import { Plan } from "./plan.tsx";
import type { Asked } from "./settings.ts";
import { WhyNot } from "./why-not.tsx";

type Answer = FindResponse | SearchResponse;

/** The hits and how they were found. */
export function Results({ answer, asked }: { readonly answer: Answer; readonly asked: Asked }) {
  const [tab, setTab] = useState("hits");
  const hits = hitsOf(answer);
  const explanations = explanationsOf(answer);
  const plan = "queryPlan" in answer ? answer : undefined;
  const tabs = [
    { id: "hits", title: plural(hits.length, "hit"), content: <Hits hits={hits} query={asked.query} /> },
    ...(explanations.length === 0
      ? []
      : [{ id: "how", title: "Exploration", content: <Explorations explanations={explanations} /> }]),
    ...(plan === undefined ? [] : [{ id: "plan", title: "Plan", content: <Plan answer={plan} /> }]),
    { id: "why", title: "Why is it not here?", content: <WhyNot asked={asked} /> },
  ];
  return (
    <div className="flex flex-col rounded-xl border border-line bg-surface">
      <Tabs
        label="Results"
        tabs={tabs}
        value={tab}
        onChange={setTab}
        actions={
          <Button look="quiet" onClick={() => showCalls(true)}>
            <Code2 /> <span className="sr-only sm:not-sr-only">Copy as code</span>
          </Button>
        }
      />
    </div>
  );
}

/** Explanations of all queries: one for find, those of the plan for search. */
function explanationsOf({ explain }: Answer): readonly SearchExplanation[] {
  if (explain === undefined) return [];
  return "queries" in explain ? explain.queries : [explain];
}

function Hits({ hits, query }: { readonly hits: readonly MatchedContext[]; readonly query: string }) {
  if (hits.length === 0) {
    return (
      <Empty icon={SearchX} title="Nothing was found">
        Try other words, a lower score, or fewer limits in the options.
      </Empty>
    );
  }
  return (
    <ol className="-m-4 divide-y divide-line">
      {hits.map((hit, index) => (
        <HitCard key={hit.uri} hit={hit} rank={index + 1} query={query} />
      ))}
    </ol>
  );
}
