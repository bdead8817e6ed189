import type { ForgetResponse } from "../../../../typescript/src/gen/ctxdb/v1/memory_pb.ts";
import { count, plural } from "../../text/format.ts";
import { visibleText } from "../../text/uri.ts";
import { Badge } from "../../ui/layout.tsx";

const list = new Intl.ListFormat("en");

/** Maximum number of memories listed; the totals count all. */
const MAX_LISTED = 12;

export const removesAnything = ({ facts, episodes, messages }: ForgetResponse): boolean =>
  facts + episodes + messages > 0;

/** A summary such as "2 facts, 1 episode and sentences of 3 messages". */
export function amountOf({ facts, episodes, messages, memories }: ForgetResponse): string {
  const shortened = memories.filter(({ isGone }) => !isGone).length;
  const parts = [
    [facts, plural(facts, "fact")],
    [episodes - shortened, plural(episodes - shortened, "episode")],
    [shortened, `sentences of ${plural(shortened, "episode")}`],
    [messages, `sentences of ${plural(messages, "message")}`],
  ] as const;
  return list.format(parts.filter(([amount]) => amount > 0).map(([, text]) => text)) || "nothing";
}

/** Preview of what forgetting would remove. */
export function ForgetPreview({ preview }: { readonly preview: ForgetResponse }) {
  const { memories } = preview;
  return (
    <>
      <p className="text-[13px] font-medium">This removes {amountOf(preview)}.</p>
      {memories.length > 0 && (
        <ul className="flex max-h-60 flex-col gap-2 overflow-y-auto rounded-lg border border-line p-3 text-[13px]">
          {memories.slice(0, MAX_LISTED).map(({ memoryId, kind, statement, isGone }) => (
            <li key={memoryId} className="flex items-start gap-2">
              <Badge tone={isGone ? "danger" : "warning"}>{isGone ? kind : "shortened"}</Badge>
              <span className="line-clamp-3 min-w-0 break-words" dir="auto">
                {visibleText(statement)}
              </span>
            </li>
          ))}
          {memories.length > MAX_LISTED && (
            <li className="text-soft">and {count(memories.length - MAX_LISTED)} more</li>
          )}
        </ul>
      )}
      <p className="text-[13px] text-soft">
        “[forgotten]” takes the place of each sentence in the conversation. This cannot be undone. Backups
        that were made before still hold it.
      </p>
    </>
  );
}
