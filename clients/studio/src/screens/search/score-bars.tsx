import type { HitExplanation } from "../../../../typescript/src/gen/ctxdb/v1/search_pb.ts";
import { score } from "../../text/format.ts";

interface ScoreBarsProps {
  readonly explanation: HitExplanation;
  readonly reason: string;
}

/** Contributions of words, meaning, folder and usage to a score. */
export function ScoreBars({ explanation, reason }: ScoreBarsProps) {
  const { lexical, dense, own, semantic, hotness, quoted } = explanation;
  const bars = [
    { name: "Words", value: lexical, color: "bg-series-2", about: "How well the words of the query match" },
    { name: "Meaning", value: dense, color: "bg-series-1", about: "How close the meaning is" },
    {
      name: "Folder",
      value: Math.max(0, semantic - own),
      color: "bg-series-3",
      about: "What the folder above adds (propagation)",
    },
    { name: "Hotness", value: hotness, color: "bg-series-4", about: "How recently and often it was used" },
  ];
  return (
    <details className="mt-2 text-xs text-soft">
      <summary className="hover:text-ink">
        Why: {reason}
        {quoted && " · holds the query word for word"}
      </summary>
      <dl className="mt-2 grid max-w-md grid-cols-[4.5rem_1fr_3rem] items-center gap-x-3 gap-y-1.5">
        {bars.map(({ name, value, color, about }) => (
          <div key={name} className="contents" title={about}>
            <dt>{name}</dt>
            <dd className="h-2 overflow-hidden rounded-full bg-sunken" aria-hidden>
              <div
                className={`h-full rounded-full ${color}`}
                style={{ width: `${Math.min(1, value) * 100}%` }}
              />
            </dd>
            <dd className="text-right tabular-nums">{score(value)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 tabular-nums">
        own {score(own)} → with its folder {score(semantic)}; score = 0.8 × {score(semantic)} + 0.2 ×{" "}
        {score(hotness)} = {score(0.8 * semantic + 0.2 * hotness)}
      </p>
    </details>
  );
}
