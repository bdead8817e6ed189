import { MessageCircle } from "lucide-react";
import { useEffect, useRef } from "react";
import { useSessionContext } from "../../api/sessions.ts";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { Composer } from "./composer.tsx";
import { Message } from "./message.tsx";

/** Maximum tokens of unarchived messages shown. */
const SHOWN_TOKENS = 200_000;

/** The messages since the last commit, with a field to add one. */
export function Conversation({ id }: { readonly id: string }) {
  const { data, error, refetch } = useSessionContext(id, SHOWN_TOKENS);
  const end = useRef<HTMLDivElement>(null);
  const count = data?.messages.length ?? 0;
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: "nearest" });
  }, [count]);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading lines={6} />;
  return (
    <div className="mx-auto flex min-h-full max-w-3xl flex-col gap-4">
      <div className="flex-1">
        {count === 0 && (
          <Empty icon={MessageCircle} title="No new messages">
            Write a message as the user or the assistant. Earlier messages are in the archives.
          </Empty>
        )}
        <ol className="flex flex-col gap-3">
          {data.messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </ol>
        <div ref={end} />
      </div>
      <Composer id={id} />
    </div>
  );
}
