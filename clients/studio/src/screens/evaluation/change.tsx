import { score } from "../../text/format.ts";

/** Smaller changes are noise of rounding. */
const SMALLEST = 0.0005;

/** How a measure has changed: in words for whoever does not see colours. */
export function Change({ by }: { readonly by: number | undefined }) {
  if (by === undefined) return null;
  if (Math.abs(by) < SMALLEST) return <span className="text-xs text-soft">unchanged</span>;
  const better = by > 0;
  return (
    <span className={`text-xs whitespace-nowrap tabular-nums ${better ? "text-accent" : "text-danger"}`}>
      <span aria-hidden>{better ? "▲ " : "▼ "}</span>
      <span className="sr-only">{better ? "better by " : "worse by "}</span>
      {score(Math.abs(by))}
    </span>
  );
}
