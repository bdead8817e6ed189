import { Code2 } from "lucide-react";
import { useState } from "react";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Checkbox } from "../ui/field.tsx";
import { Badge } from "../ui/layout.tsx";
import { Empty } from "../ui/states.tsx";
import { clientNameOf } from "./names.ts";
import { type RecordedCall, useCalls } from "./recorder.ts";
import { type Snippet, snippetsOf } from "./snippets.ts";
import { targetNow } from "./target.ts";

/** Whether a screen makes the call only to display something. */
const isRead = ({ method: { name } }: RecordedCall): boolean => /^(Get|List|Stat|Read|Watch)/.test(name);

/** The calls that Studio made, as programs that make the same call. */
export function CallsPanel({ onClose }: { readonly onClose: () => void }) {
  const calls = useCalls();
  const [showsReads, setShowsReads] = useState(true);
  const [chosen, setChosen] = useState<number>();
  const shown = calls.filter((call) => showsReads || !isRead(call));
  const call = shown.find(({ id }) => id === chosen) ?? shown[0];
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="API calls"
      about="Everything Studio does is a call of the public API. Copy one as code; the key is read from CTXDB_API_KEY."
    >
      <div className="grid gap-4 md:grid-cols-[15rem_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-2">
          <Checkbox
            label="Show reads"
            checked={showsReads}
            onChange={(event) => setShowsReads(event.target.checked)}
          />
          <ul
            aria-label="Calls, the last one first"
            className="flex max-h-40 flex-col overflow-y-auto rounded-lg border border-line md:max-h-96"
          >
            {shown.map((one) => (
              <Row key={one.id} call={one} selected={one === call} onSelect={() => setChosen(one.id)} />
            ))}
          </ul>
        </div>
        {call === undefined ? (
          <Empty icon={Code2} title="No call yet">
            Do something in Studio: it appears here.
          </Empty>
        ) : (
          <Snippets key={call.id} call={call} />
        )}
      </div>
    </Dialog>
  );
}

interface RowProps {
  readonly call: RecordedCall;
  readonly selected: boolean;
  readonly onSelect: () => void;
}

function Row({ call: { method, outcome, took, times }, selected, onSelect }: RowProps) {
  const failed = outcome !== undefined && outcome !== "OK";
  const name = clientNameOf(method);
  return (
    <li className="border-b border-line last:border-0">
      <button
        type="button"
        aria-pressed={selected}
        onClick={onSelect}
        className="flex w-full items-baseline gap-2 px-2.5 py-1.5 text-left text-[13px] -outline-offset-2 hover:bg-sunken aria-pressed:bg-accent-ground"
      >
        <span className="min-w-0 flex-1 truncate font-medium">
          {name === undefined ? method.name : `${name.group}.${name.name}`}
          {times > 1 && <span className="font-normal text-soft"> × {times}</span>}
        </span>
        <span className={`shrink-0 text-xs tabular-nums ${failed ? "text-danger" : "text-soft"}`}>
          {failed ? outcome : took === undefined ? "…" : `${took} ms`}
        </span>
      </button>
    </li>
  );
}

function Snippets({ call: { method, request } }: { readonly call: RecordedCall }) {
  const [language, setLanguage] = useState<Snippet["language"]>();
  if (request === undefined) return <p className="text-soft">The request was too large to be kept.</p>;
  const snippets = snippetsOf(method, request, targetNow());
  const shown = snippets.find((snippet) => snippet.language === language) ?? snippets[0];
  if (shown === undefined) return <p className="text-soft">No client has this operation.</p>;
  return (
    <div className="min-w-0">
      <div className="mb-2 flex flex-wrap items-center gap-1">
        {snippets.map((snippet) => (
          <button
            key={snippet.language}
            type="button"
            aria-pressed={snippet === shown}
            onClick={() => setLanguage(snippet.language)}
            className="rounded-md px-2 py-1 text-[13px] text-soft hover:bg-sunken aria-pressed:bg-accent-ground aria-pressed:text-accent"
          >
            {snippet.language}
          </button>
        ))}
        <span className="flex-1" />
        <Badge>
          {method.parent.name}.{method.name}
        </Badge>
        <CopyButton text={shown.text} label={`Copy as ${shown.language}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre tabIndex={0} className="max-h-96 overflow-auto rounded-lg bg-sunken p-3 text-xs">
        {shown.text}
      </pre>
    </div>
  );
}
