import { Link } from "@tanstack/react-router";
import { MessagesSquare } from "lucide-react";
import { type MemorySource, useMemorySources } from "../../api/memories.ts";
import { useListRelations } from "../../api/relations.ts";
import { plural } from "../../text/format.ts";
import { visible, visibleText } from "../../text/uri.ts";
import { UriText } from "../../ui/uri-text.tsx";
import { sessionOf } from "./memory-list.ts";

/** Maximum number of messages and episodes listed for a memory. */
const MAX_LISTED = 12;

interface ProvenanceProps {
  readonly uri: string;
  /** Text of the memory. */
  readonly text: string;
  readonly onSelect: (uri: string) => void;
}

/** Sources of a memory: messages that support it, and the episodes that contain them verbatim. */
export function Provenance({ uri, text, onSelect }: ProvenanceProps) {
  const sources = useMemorySources(uri, text).data ?? [];
  const relations = useListRelations(uri).data ?? [];
  const episodes = relations.filter(({ fromUri }) => fromUri === uri).map(({ toUri }) => toUri);
  const session = sessionOf(uri);
  if (sources.length === 0 && episodes.length === 0 && session === undefined) return null;
  return (
    <section className="mt-5 border-t border-line pt-3 text-[13px]">
      <h3 className="mb-1.5 text-sm font-semibold">Made of</h3>
      <ul className="flex flex-col gap-2.5">
        {sources.slice(0, MAX_LISTED).map((source) => (
          <li key={`${source.session} ${source.archive} ${source.fact ?? ""} ${source.messages.join()}`}>
            <Source source={source} />
          </li>
        ))}
        {sources.length === 0 && session !== undefined && (
          <li>
            <Link to="/sessions" search={{ id: session }} className="text-accent hover:underline">
              Session {visible(session)}
            </Link>
          </li>
        )}
      </ul>
      {episodes.length > 0 && (
        <>
          <h3 className="mt-3 mb-1.5 text-sm font-semibold">Quoted from</h3>
          <ul className="flex flex-col gap-1.5">
            {episodes.slice(0, MAX_LISTED).map((episode) => (
              <li key={episode}>
                <button
                  type="button"
                  onClick={() => onSelect(episode)}
                  className="text-left text-accent hover:underline"
                >
                  <UriText uri={episode} />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** A statement with links to its source messages in the archive. */
function Source({ source: { session, archive, messages, fact } }: { readonly source: MemorySource }) {
  return (
    <>
      {fact !== undefined && <p className="break-words">{visibleText(fact)}</p>}
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-soft">
        <MessagesSquare className="size-4" aria-hidden />
        {messages.slice(0, MAX_LISTED).map((message, index) => (
          <Link
            key={message}
            to="/sessions"
            search={{ id: session, archive, message }}
            className="text-accent hover:underline"
          >
            Message{messages.length > 1 && ` ${index + 1}`}
          </Link>
        ))}
        {messages.length > MAX_LISTED && <span>of {plural(messages.length, "message")}</span>}
        <span className="min-w-0 [overflow-wrap:anywhere]">
          in session {visible(session)}, archive {archive}
        </span>
      </p>
    </>
  );
}
