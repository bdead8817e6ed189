import type { ReactNode } from "react";

/** A term and its value. */
export type Fact = readonly [term: string, value: ReactNode];

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="grid max-w-3xl grid-cols-[7rem_1fr] gap-x-3 gap-y-2 text-[13px] sm:grid-cols-[9rem_1fr]">
      {facts.map(([term, value]) => (
        <div key={term} className="contents">
          <dt className="break-words text-soft">{term}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
