import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import type { SearchExplanation } from "../../../../typescript/src/gen/ctxdb/v1/search_pb.ts";
import { count, plural, score } from "../../text/format.ts";
import { visible, visibleText } from "../../text/uri.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ExplorationTree } from "./exploration-tree.tsx";

/** Rounds without a change of the best hits after which the server stops. */
const STABLE_ROUNDS = 3;

/** How the queries of a search explored the tree; a plan has several queries. */
export function Explorations({ explanations }: { readonly explanations: readonly SearchExplanation[] }) {
  const [chosen, setChosen] = useState(0);
  const explanation = explanations[Math.min(chosen, explanations.length - 1)];
  if (explanation === undefined) return null;
  return (
    <div className="flex flex-col gap-4">
      {explanations.length > 1 && (
        <div className="flex flex-wrap gap-1.5">
          {explanations.map(({ query }, index) => (
            <Button
              // biome-ignore lint/suspicious/noArrayIndexKey: two queries of a plan may have the same words
              key={index}
              aria-pressed={explanations[index] === explanation}
              className="aria-pressed:border-accent aria-pressed:text-accent"
              onClick={() => setChosen(index)}
            >
              {index + 1}. {visibleText(query).slice(0, 60)}
            </Button>
          ))}
        </div>
      )}
      <Exploration key={chosen} explanation={explanation} />
    </div>
  );
}

function factsOf(explanation: SearchExplanation): string[] {
  const { documents, candidates, meaning, quotes, filled, spaces, missed } = explanation;
  const { lexical = 0, dense = 0, nodes = 0 } = candidates ?? {};
  return [
    `${plural(documents, "passage")} looked at; ${count(lexical)} candidates by words, ${count(dense)} by meaning, ${count(nodes)} in all.`,
    `Meaning decides ${percent(meaning?.documents)} of documents and ${percent(meaning?.code)} of source code. Vectors: ${spaces.join(", ") || "none"}.`,
    ...(missed.length > 0 ? [`The query came too late for the vectors of ${missed.join(", ")}.`] : []),
    ...(quotes > 0 ? [`${plural(quotes, "file")} hold the query word for word.`] : []),
    ...(filled > 0 ? [`${plural(filled, "weaker candidate")} filled the list.`] : []),
  ];
}

const percent = (share = 0): string => `${Math.round(share * 100)} %`;

/** How a query explored the tree, one opened folder per step. */
function Exploration({ explanation }: { readonly explanation: SearchExplanation }) {
  const { seeds, steps } = explanation;
  const [at, setAt] = useState(steps.length);
  const go = (step: number) => setAt(Math.min(Math.max(step, 0), steps.length));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowLeft") go(at - 1);
    else if (event.key === "ArrowRight") go(at + 1);
    else return;
    event.preventDefault();
  };
  return (
    <div className="flex flex-col gap-4">
      <ul className="list-disc pl-5 text-[13px]">
        {factsOf(explanation).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys are a shortcut for the buttons inside */}
      <div className="flex flex-wrap items-center gap-1" onKeyDown={onKeyDown}>
        <IconButton label="From the start" disabled={at === 0} onClick={() => go(0)}>
          <ChevronFirst />
        </IconButton>
        <Button disabled={at === 0} onClick={() => go(at - 1)}>
          <ChevronLeft /> Back
        </Button>
        <Button disabled={at === steps.length} onClick={() => go(at + 1)}>
          Next <ChevronRight />
        </Button>
        <IconButton label="To the end" disabled={at === steps.length} onClick={() => go(steps.length)}>
          <ChevronLast />
        </IconButton>
        <p role="status" className="ml-2 text-[13px] tabular-nums">
          <span className="font-medium">
            Step {at} of {steps.length}
          </span>{" "}
          <span className="text-soft">{tellStep(explanation, at)}</span>
        </p>
      </div>
      <ExplorationTree seeds={seeds} opened={steps.slice(0, at)} />
    </div>
  );
}

/** Describes one round in words. */
function tellStep({ seeds, steps, converged }: SearchExplanation, at: number): string {
  if (at === 0) {
    return seeds.length > 0 ? `Starting folders: ${count(seeds.length)}` : "No folder matches the query";
  }
  const step = steps[at - 1];
  if (step === undefined) return "";
  const still = steps
    .slice(0, at)
    .reverse()
    .findIndex(({ changed }) => changed);
  const unchanged = still < 0 ? at : still;
  const told = [
    `opened ${visible(step.uri)}, promise ${score(step.score)}`,
    step.changed ? "the best hits changed" : `the best hits stood still (${unchanged} of ${STABLE_ROUNDS})`,
    at === steps.length
      ? converged
        ? "converged: the search ends here"
        : "no folder was left: the search ends here"
      : `folders that wait: ${count(step.waiting)}`,
  ];
  return told.join("; ");
}
