import { Link } from "@tanstack/react-router";
import { Eraser, MessagesSquare, Pencil } from "lucide-react";
import { useState } from "react";
import { useReadContent } from "../../api/content.ts";
import { useListRelations } from "../../api/relations.ts";
import { Markdown } from "../../content/markdown.tsx";
import { nameOf, visible } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/layout.tsx";
import { Failure, Loading } from "../../ui/states.tsx";
import { UriText } from "../../ui/uri-text.tsx";
import { ForgetDialog } from "./forget-dialog.tsx";
import { sessionOf, withEarlier } from "./memory-list.ts";

interface MemoryProps {
  readonly uri: string;
  readonly onSelect: (uri: string) => void;
  readonly onForgotten: () => void;
}

/** One memory: what counts now, what counted before, and what it was made of. */
export function Memory({ uri, onSelect, onForgotten }: MemoryProps) {
  const { data, error, refetch } = useReadContent(uri, -1);
  const [forgetting, setForgetting] = useState(false);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading lines={6} />;
  const { current, earlier } = withEarlier(data.content);
  return (
    <Card
      title={visible(nameOf(uri))}
      className="order-first lg:sticky lg:top-0 lg:order-none"
      actions={
        <>
          <Link
            to="/explorer"
            search={{ uri }}
            className="inline-flex h-8 items-center gap-1.5 rounded-md px-2 text-[13px] text-soft hover:bg-sunken"
          >
            <Pencil className="size-4" aria-hidden /> Edit
          </Link>
          <Button look="danger" onClick={() => setForgetting(true)}>
            <Eraser /> Forget
          </Button>
        </>
      }
    >
      <Markdown text={current} uri={uri} />
      {earlier !== "" && (
        <section className="mt-4 border-l-2 border-line pl-4 text-soft">
          <h3 className="mb-1 text-sm font-semibold">Superseded</h3>
          <Markdown text={earlier} uri={uri} />
        </section>
      )}
      <Provenance uri={uri} onSelect={onSelect} />
      {forgetting && (
        <ForgetDialog uri={uri} onClose={() => setForgetting(false)} onForgotten={onForgotten} />
      )}
    </Card>
  );
}

/** The episodes of a fact, and the session of an episode. */
function Provenance({ uri, onSelect }: { readonly uri: string; readonly onSelect: (uri: string) => void }) {
  const relations = useListRelations(uri).data ?? [];
  const episodes = relations.filter(({ fromUri }) => fromUri === uri).map(({ toUri }) => toUri);
  const session = sessionOf(uri);
  if (episodes.length === 0 && session === undefined) return null;
  return (
    <section className="mt-5 border-t border-line pt-3 text-[13px]">
      <h3 className="mb-1.5 text-sm font-semibold">Made of</h3>
      <ul className="flex flex-col gap-1.5">
        {session !== undefined && (
          <li>
            <SessionLink id={session} />
          </li>
        )}
        {episodes.map((episode) => {
          const from = sessionOf(episode);
          return (
            <li key={episode} className="flex flex-wrap gap-x-3">
              <button
                type="button"
                onClick={() => onSelect(episode)}
                className="text-left text-accent hover:underline"
              >
                <UriText uri={episode} />
              </button>
              {from !== undefined && <SessionLink id={from} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function SessionLink({ id }: { readonly id: string }) {
  return (
    <Link
      to="/sessions"
      search={{ id }}
      className="inline-flex items-center gap-1.5 text-soft hover:text-ink hover:underline"
    >
      <MessagesSquare className="size-4" aria-hidden /> Session {visible(id)}
    </Link>
  );
}
