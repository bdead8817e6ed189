import { Trash2 } from "lucide-react";
import { score } from "../../text/format.ts";
import { visible } from "../../text/uri.ts";
import { IconButton } from "../../ui/button.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { UriText } from "../../ui/uri-text.tsx";
import { Change } from "./change.tsx";
import { removeQuestion } from "./evaluation-store.ts";
import type { Outcome, Question } from "./measures.ts";
import type { Run } from "./run.ts";

interface QuestionsProps {
  readonly questions: readonly Question[];
  readonly last: Run | undefined;
  readonly baseline: Run | undefined;
}

const byQuery = (run: Run | undefined): ReadonlyMap<string, Outcome> =>
  new Map(run?.outcomes.map((outcome) => [outcome.question.query, outcome]));

/** The question set, each question with its result in the last run. */
export function Questions({ questions, last, baseline }: QuestionsProps) {
  const outcomes = byQuery(last);
  const before = byQuery(baseline);
  const measured: Column<Question>[] = [
    { title: "Places", cell: ({ query }) => placesOf(outcomes.get(query)) },
    {
      title: "nDCG",
      numeric: true,
      cell: ({ query }) => {
        const now = outcomes.get(query)?.ndcg;
        const then = before.get(query)?.ndcg;
        if (now === undefined) return "–";
        return (
          <span className="flex flex-col items-end">
            {score(now)}
            <Change by={then === undefined ? undefined : now - then} />
          </span>
        );
      },
    },
  ];
  return (
    <Table
      label="Questions"
      rows={questions}
      rowKey={({ query }) => query}
      columns={[
        { title: "Question", cell: ({ query }) => <span className="break-words">{visible(query)}</span> },
        { title: "Expected", cell: ({ expected }) => <Expected uris={expected} /> },
        ...(last === undefined ? [] : measured),
        {
          title: "Actions",
          hideTitle: true,
          numeric: true,
          cell: (question) => (
            <IconButton
              label={`Remove “${visible(question.query)}”`}
              className="-my-1.5"
              onClick={() => removeQuestion(question)}
            >
              <Trash2 />
            </IconButton>
          ),
        },
      ]}
    />
  );
}

/** Maximum number of URIs shown per question. */
const MAX_URIS = 5;

function Expected({ uris }: { readonly uris: readonly string[] }) {
  return (
    <span className="block min-w-48 text-soft">
      {uris.slice(0, MAX_URIS).map((uri) => (
        <span key={uri} className="block">
          <UriText uri={uri} />
        </span>
      ))}
      {uris.length > MAX_URIS && `and ${uris.length - MAX_URIS} more`}
    </span>
  );
}

function placesOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) return "–";
  return outcome.places.length === 0 ? "not found" : outcome.places.join(", ");
}
