import { Link } from "@tanstack/react-router";
import { visible } from "../../text/uri.ts";
import { Card } from "../../ui/layout.tsx";
import type { Run } from "./use-evaluation.ts";

/** The questions whose answers were not all found. */
export function Misses({ run }: { readonly run: Run }) {
  const missed = run.outcomes.filter(({ recall }) => recall < 1);
  if (missed.length === 0) return <p className="text-[13px] text-accent">Every expected answer was found.</p>;
  return (
    <Card title={`Misses (${missed.length})`}>
      <ul className="flex flex-col gap-3 text-[13px]">
        {missed.map(({ question, places, found }) => (
          <li key={question.query}>
            <Link
              to="/search"
              search={{ q: question.query }}
              className="font-medium text-accent hover:underline"
            >
              {visible(question.query)}
            </Link>
            <p className="break-all text-soft">
              Expected {question.expected.map(visible).join(", ")}; found {places.length} of{" "}
              {question.expected.length}. Best hit: {found[0] === undefined ? "none" : visible(found[0])}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
