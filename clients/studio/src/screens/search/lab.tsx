import { FlaskConical } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { MatchedContext } from "../../../../typescript/src/gen/ctxdb/v1/search_pb.ts";
import { useFind, useSearch } from "../../api/search.ts";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { SearchForm } from "./form.tsx";
import { hitsOf } from "./hits.ts";
import { Results } from "./results.tsx";
import { type Asked, requestOf, type Settings } from "./settings.ts";

interface LabProps {
  readonly label: string | undefined;
  readonly start: Settings;
  readonly onAsk?: (query: string) => void;
  /** Called with the hits, best first. */
  readonly onHits?: (hits: readonly MatchedContext[]) => void;
}

/** A search: settings, hits and explanations. */
export function Lab({ label, start, onAsk, onHits }: LabProps) {
  const [settings, setSettings] = useState(start);
  const [asked, setAsked] = useState<Asked>();
  const [fault, setFault] = useState<unknown>(null);
  const find = useFind();
  const search = useSearch();
  const call = settings.mode === "find" ? find : search;

  const ask = () => {
    try {
      const request = requestOf(settings);
      setFault(null);
      setAsked(request);
      onAsk?.(request.query);
      call.mutate(request, { onSuccess: (answer) => onHits?.(hitsOf(answer)) });
    } catch (thrown) {
      setFault(thrown);
    }
  };
  // if a link contains a query, run it at once
  const first = useRef(ask);
  useEffect(() => {
    if (start.query !== "") first.current();
  }, [start.query]);

  const error = fault ?? call.error;
  return (
    <section aria-label={label ?? "Search"} className="flex min-w-0 flex-col gap-4">
      {label !== undefined && <h2 className="text-sm font-semibold">{label}</h2>}
      <SearchForm settings={settings} busy={call.isPending} onChange={setSettings} onSubmit={ask} />
      {error !== null && <Failure error={error} onRetry={ask} />}
      {call.isPending && <Loading lines={8} />}
      {call.data !== undefined && asked !== undefined && error === null && !call.isPending && (
        <Results answer={call.data} asked={asked} />
      )}
      {call.isIdle && error === null && (
        <Empty icon={FlaskConical} title="Ask something">
          Words, a question or a quotation. The lab shows the passages that were found, how each score came
          about, and which folders were looked into.
        </Empty>
      )}
    </section>
  );
}
