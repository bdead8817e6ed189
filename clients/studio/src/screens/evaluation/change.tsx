import { score } from "../../text/format.ts";

/** Smaller changes are rounding noise. */
const SMALLEST = 0.0005;

/** The change of a measure, also in words, for users who cannot distinguish colours. */
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
