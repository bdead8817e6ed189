import { getRouteApi, Link } from "@tanstack/react-router";
import { MessagesSquare, Plus } from "lucide-react";
import { useCreateSession, useListSessions } from "../../api/sessions.ts";
import { ago, plural } from "../../text/format.ts";
import { visible } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { toastError } from "../../ui/toasts.tsx";
import { Session } from "./session.tsx";

const route = getRouteApi("/sessions");

/** Sessions on the left, the selected one on the right. */
export function Sessions() {
  const { id, archive, message } = route.useSearch();
  const navigate = route.useNavigate();
  const create = useCreateSession();
  const open = (next: string | undefined) => void navigate({ search: { id: next } });
  const start = () =>
    create.mutate(undefined, { onSuccess: ({ sessionId }) => open(sessionId), onError: toastError });
  return (
    <div className="flex h-full">
      <aside
        aria-label="Sessions"
        className={`${id === undefined ? "flex" : "hidden md:flex"} w-full shrink-0 flex-col border-r border-line bg-surface md:w-72`}
      >
        <div className="flex h-12 items-center gap-2 border-b border-line px-4">
          <h1 className="flex-1 font-semibold">Sessions</h1>
          <Button look="primary" busy={create.isPending} onClick={start}>
            <Plus /> New
          </Button>
        </div>
        <SessionList />
      </aside>
      <div className={`${id === undefined ? "hidden md:block" : "block"} min-w-0 flex-1`}>
        {id === undefined ? (
          <Empty icon={MessagesSquare} title="Open a session, or start one">
            A session is a conversation with an agent. When it is committed, what is worth keeping becomes
            memories.
          </Empty>
        ) : (
          <Session
            key={`${id} ${archive} ${message}`}
            id={id}
            place={archive === undefined ? undefined : { archive, message }}
            onClose={() => open(undefined)}
          />
        )}
      </div>
    </div>
  );
}

function SessionList() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useListSessions();
  const sessions = data?.pages.flatMap((page) => page.sessions) ?? [];
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-2">
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && sessions.length === 0 && <p className="p-2 text-soft">No sessions yet.</p>}
      <ul className="flex flex-col gap-0.5">
        {sessions.map(({ sessionId, messageCount, updatedAt }) => (
          <li key={sessionId}>
            <Link
              to="/sessions"
              search={{ id: sessionId }}
              activeOptions={{ includeSearch: true }}
              className="block rounded-md px-2.5 py-2 -outline-offset-2 hover:bg-sunken"
              activeProps={{ className: "bg-accent-ground" }}
            >
              <span className="block truncate font-mono text-xs font-medium">{visible(sessionId)}</span>
              <span className="text-xs text-soft">
                {messageCount === 0 ? "nothing new" : plural(messageCount, "new message")} · {ago(updatedAt)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mt-2 w-full" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          More
        </Button>
      )}
    </div>
  );
}
