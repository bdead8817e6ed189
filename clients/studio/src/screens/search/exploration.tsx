import { Link } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight, Folder, FolderOpen, Play } from "lucide-react";
import { useState } from "react";
import { count, plural } from "../../text/format.ts";
import { segmentsOf, visible } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import type { SearchExplanation } from "./explanation.ts";

/** How a search went through the tree, one opened folder after the other. */
export function Exploration({ explanation }: { readonly explanation: SearchExplanation }) {
  const { documents, candidates, seeds, explored, rounds, converged, meaning, quotes, filled, spaces } =
    explanation;
  const [step, setStep] = useState(explored.length);
  const facts = [
    `${plural(documents, "passage")} looked at; ${count(candidates.lexical)} candidates by words, ${count(candidates.dense)} by meaning, ${count(candidates.nodes)} in all.`,
    `Meaning decides ${Math.round(meaning.documents * 100)} % of documents and ${Math.round(meaning.code * 100)} % of source code. Vectors: ${spaces.join(", ") || "none"}.`,
    ...(quotes > 0 ? [`${plural(quotes, "file")} hold the query word for word.`] : []),
    `${plural(explored.length, "folder")} opened in ${plural(rounds, "round")}; ${converged ? "the best hits stood still" : "no folder was left to open"}.`,
    ...(filled > 0 ? [`${plural(filled, "weaker candidate")} filled the list.`] : []),
  ];
  return (
    <div className="flex flex-col gap-4">
      <ul className="list-disc pl-5 text-[13px]">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button disabled={step === 0} onClick={() => setStep(step - 1)}>
          <ChevronLeft /> Back
        </Button>
        <Button disabled={step === explored.length} onClick={() => setStep(step + 1)}>
          Next <ChevronRight />
        </Button>
        <Button disabled={step === 0} onClick={() => setStep(0)}>
          <Play /> From the start
        </Button>
        <span role="status" className="text-[13px] text-soft tabular-nums">
          Step {step} of {explored.length}
          {step === explored.length && converged && " · converged"}
        </span>
      </div>
      <StepTree seeds={seeds} opened={explored.slice(0, step)} />
    </div>
  );
}

interface StepTreeProps {
  readonly seeds: readonly string[];
  /** In the order in which they were opened. */
  readonly opened: readonly string[];
}

/** Folders by place: those that the search started from, and which of them it has opened so far. */
function StepTree({ seeds, opened }: StepTreeProps) {
  const uris = [...new Set([...seeds, ...opened])].sort();
  return (
    <ol
      aria-label="Folders"
      className="flex flex-col rounded-lg border border-line bg-ground p-2 text-[13px]"
    >
      {uris.map((uri) => {
        const order = opened.indexOf(uri);
        const isOpen = order >= 0;
        const Icon = isOpen ? FolderOpen : Folder;
        return (
          <li
            key={uri}
            className={`flex items-center gap-2 rounded px-2 py-1 ${order === opened.length - 1 && isOpen ? "bg-accent-ground" : ""}`}
            style={{ paddingLeft: segmentsOf(uri).length * 14 }}
          >
            <Icon className={`size-4 shrink-0 ${isOpen ? "text-accent" : "text-soft"}`} aria-hidden />
            <Link
              to="/explorer"
              search={{ uri }}
              className={`min-w-0 truncate hover:underline ${isOpen ? "" : "text-soft"}`}
            >
              <bdi>{visible(uri)}</bdi>
            </Link>
            {seeds.includes(uri) && (
              <span className="shrink-0 text-xs text-soft">start {seeds.indexOf(uri) + 1}</span>
            )}
            {isOpen && <span className="ml-auto shrink-0 text-xs text-accent">opened {order + 1}.</span>}
          </li>
        );
      })}
    </ol>
  );
}
