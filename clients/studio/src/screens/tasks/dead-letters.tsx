import { MailCheck, RotateCcw } from "lucide-react";
import { type DeadLetter, useListDeadLetters, useRetryDeadLetter } from "../../api/dead-letters.ts";
import { dateTime, plural } from "../../text/format.ts";
import { visibleText } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/layout.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";

/** Dead letters with their reasons; most can be retried. */
export function DeadLetters() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useListDeadLetters(true);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const letters = data.pages.flatMap((page) => page.deadLetters);
  if (letters.length === 0) {
    return (
      <Empty icon={MailCheck} title="No job was given up">
        A job that still fails after its last attempt is listed here with the reason.
      </Empty>
    );
  }
  return (
    <>
      <Table
        label="Dead letters"
        rows={letters}
        rowKey={({ id }) => id}
        columns={[
          {
            title: "Job",
            cell: ({ kind, queue }) => (
              <span className="flex flex-col items-start gap-1">
                <span className="font-medium">{kind}</span>
                <Badge>{queue}</Badge>
              </span>
            ),
          },
          {
            title: "Reason",
            cell: ({ reason, attempts }) => (
              <span className="block min-w-48 break-words">
                {visibleText(reason)}
                <span className="block text-xs text-soft">after {plural(attempts, "attempt")}</span>
              </span>
            ),
          },
          {
            title: "Given up",
            cell: ({ at }) => <time dateTime={at}>{dateTime(at)}</time>,
          },
          { title: "Actions", hideTitle: true, numeric: true, cell: (letter) => <Retry letter={letter} /> },
        ]}
      />
      {hasNextPage && (
        <div className="p-3 text-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Older ones
          </Button>
        </div>
      )}
    </>
  );
}

function Retry({ letter: { id, kind, retryable } }: { readonly letter: DeadLetter }) {
  const retry = useRetryDeadLetter();
  if (!retryable) {
    return (
      <span className="text-xs text-soft" title="Add the source or write the content again">
        cannot be tried again
      </span>
    );
  }
  return (
    <Button
      busy={retry.isPending}
      onClick={() =>
        retry.mutate(id, { onSuccess: () => toast(`Queued ${kind} again`), onError: toastError })
      }
    >
      <RotateCcw /> Try again
    </Button>
  );
}
