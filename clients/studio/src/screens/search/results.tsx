import { SearchX } from "lucide-react";
import { useState } from "react";
import type {
  FindResponse,
  MatchedContext,
  SearchResponse,
} from "../../../../typescript/src/gen/ctxdb/v1/search_pb.ts";
import { plural } from "../../text/format.ts";
import { Empty } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { explanationOfSearch } from "./explanation.ts";
import { Exploration } from "./exploration.tsx";
import { HitCard } from "./hit-card.tsx";
import { hitsOf } from "./hits.ts";
import { Plan } from "./plan.tsx";
import type { Asked } from "./settings.ts";
import { WhyNot } from "./why-not.tsx";

type Answer = FindResponse | SearchResponse;

/** What was found, and how. */
export function Results({ answer, asked }: { readonly answer: Answer; readonly asked: Asked }) {
  const [tab, setTab] = useState("hits");
  const hits = hitsOf(answer);
  const explanation = explanationOfSearch(answer.explain);
  const plan = "queryPlan" in answer ? answer : undefined;
  const tabs = [
    { id: "hits", title: plural(hits.length, "hit"), content: <Hits hits={hits} query={asked.query} /> },
    ...(explanation === undefined
      ? []
      : [{ id: "how", title: "Exploration", content: <Exploration explanation={explanation} /> }]),
    ...(plan === undefined ? [] : [{ id: "plan", title: "Plan", content: <Plan answer={plan} /> }]),
    { id: "why", title: "Why is it not here?", content: <WhyNot asked={asked} /> },
  ];
  return (
    <div className="flex flex-col rounded-xl border border-line bg-surface">
      <Tabs label="Results" tabs={tabs} value={tab} onChange={setTab} />
    </div>
  );
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
    <ol className="flex flex-col gap-3">
      {hits.map((hit, index) => (
        <HitCard key={hit.uri} hit={hit} rank={index + 1} query={query} />
      ))}
    </ol>
  );
}
