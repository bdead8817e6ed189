import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { visible } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/layout.tsx";
import { UriText } from "../../ui/uri-text.tsx";
import type { Outcome } from "./measures.ts";
import type { Run } from "./run.ts";

/** Number of misses shown initially, and added by each click. */
const STEP = 50;

/** Questions whose expected answers were not all found. */
export function Misses({ run }: { readonly run: Run }) {
  const [shown, setShown] = useState(STEP);
  const missed = run.outcomes.filter((outcome) => outcome.missed.length > 0);
  if (missed.length === 0) {
    return (
      <p className="flex items-center gap-2 text-[13px] text-accent">
        <CircleCheck className="size-4" aria-hidden /> Every expected answer was found.
      </p>
    );
  }
  return (
    <Card title={`Misses (${missed.length})`} flush>
      <ul className="divide-y divide-line">
        {missed.slice(0, shown).map((outcome) => (
          <Miss key={outcome.question.query} outcome={outcome} target={run.settings.target} />
        ))}
      </ul>
      {missed.length > shown && (
        <div className="border-t border-line p-3 text-center">
          <Button onClick={() => setShown(shown + STEP)}>More misses</Button>
        </div>
      )}
    </Card>
  );
}

function Miss({ outcome, target }: { readonly outcome: Outcome; readonly target: string }) {
  const { question, missed, best } = outcome;
  return (
    <li className="px-4 py-3 text-[13px]">
      <Link
        to="/search"
        search={{ q: question.query, ...(target !== "" && { target }) }}
        className="font-medium break-words text-accent hover:underline"
      >
        {visible(question.query)}
      </Link>
      <dl className="mt-1 grid gap-x-3 gap-y-0.5 sm:grid-cols-[5.5rem_1fr]">
        <dt className="text-soft">Not found</dt>
        <dd className="min-w-0">
          {missed.map((uri) => (
            <Link
              key={uri}
              to="/explorer"
              search={{ uri }}
              className="block hover:underline"
              title="Open it, to see whether it is there and has chunks"
            >
              <UriText uri={uri} />
            </Link>
          ))}
        </dd>
        <dt className="text-soft">First hit</dt>
        <dd className="min-w-0">{best === undefined ? "none" : <UriText uri={best} />}</dd>
      </dl>
    </li>
  );
}
