import { useDeferredValue, useState } from "react";
import { useSessionContext } from "../../api/sessions.ts";
import { Markdown } from "../../content/markdown.tsx";
import { count, plural } from "../../text/format.ts";
import { visibleText } from "../../text/uri.ts";
import { Failure, Loading } from "../../ui/states.tsx";
import { Message } from "./message.tsx";

/** The slider is logarithmic: from 2^7 to 2^17 tokens. */
const STEPS = { min: 7, max: 17, first: 13 };

/** The session context that a model would receive within a token budget. */
export function Context({ id }: { readonly id: string }) {
  const [step, setStep] = useState(STEPS.first);
  const budget = useDeferredValue(Math.round(2 ** step));
  const { data, error, refetch } = useSessionContext(id, budget);
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-4">
      <label className="flex flex-wrap items-center gap-3 rounded-xl border border-line p-3 text-[13px]">
        <span className="font-medium">Budget</span>
        <input
          type="range"
          min={STEPS.min}
          max={STEPS.max}
          step={0.25}
          value={step}
          aria-valuetext={`${budget} tokens`}
          onChange={(event) => setStep(event.target.valueAsNumber)}
          className="min-w-32 flex-1 accent-accent"
        />
        <span className="w-32 text-right tabular-nums">{count(budget)} tokens</span>
      </label>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading lines={6} />}
      {data !== undefined && (
        <>
          <p className="text-[13px] text-soft">
            About {count(data.estimatedTokens)} tokens: {plural(data.messages.length, "message")}
            {data.latestArchiveOverview !== "" && ", the overview of the last archive"}
            {data.preArchiveAbstracts.length > 0 &&
              `, ${plural(data.preArchiveAbstracts.length, "abstract")} of earlier archives`}
            .
          </p>
          {data.latestArchiveOverview !== "" && (
            <section className="rounded-xl border border-line p-4">
              <h3 className="mb-1 text-sm font-semibold">Overview of the last archive</h3>
              <Markdown text={data.latestArchiveOverview} uri="ctx://session" />
            </section>
          )}
          {data.preArchiveAbstracts.map(({ archiveId, abstract }) => (
            <section key={archiveId} className="rounded-xl border border-line p-4">
              <h3 className="mb-1 text-sm font-semibold">{archiveId.replace("_", " ")}</h3>
              <p className="text-[13px]">{visibleText(abstract)}</p>
            </section>
          ))}
          <ol className="flex flex-col gap-3">
            {data.messages.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
