import { Archive } from "lucide-react";
import { useState } from "react";
import { codeOf } from "../../api/client.ts";
import { FIRST_LINES, useOverview, useReadContent } from "../../api/content.ts";
import { useListEntries } from "../../api/filesystem.ts";
import { useStatus } from "../../api/system.ts";
import { dateTime } from "../../text/format.ts";
import { childOf, nameOf, visibleText } from "../../text/uri.ts";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { archivedMessages } from "./archived-messages.ts";
import { Message } from "./message.tsx";

/** What was committed, commit by commit. */
export function Archives({ id }: { readonly id: string }) {
  const user = useStatus().data?.user ?? "default";
  const { data, error, refetch } = useListEntries(`ctx://session/${user}/${id}/history`);
  if (error !== null && codeOf(error) !== "NOT_FOUND")
    return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined && error === null) return <Loading />;
  const archives = data?.entries.toReversed() ?? [];
  if (archives.length === 0) {
    return (
      <Empty icon={Archive} title="Nothing was committed yet">
        A commit moves the messages into an archive and makes memories of them.
      </Empty>
    );
  }
  return (
    <ul className="mx-auto flex max-w-3xl flex-col gap-3">
      {archives.map(({ uri, modTime }) => (
        <ArchiveItem key={uri} uri={uri} at={modTime} />
      ))}
    </ul>
  );
}

function ArchiveItem({ uri, at }: { readonly uri: string; readonly at: string }) {
  const [open, setOpen] = useState(false);
  const { data: overview } = useOverview(uri);
  return (
    <li className="rounded-xl border border-line p-4">
      <p className="flex flex-wrap gap-2">
        <span className="font-medium">{nameOf(uri).replace("_", " ")}</span>
        <span className="text-soft">{dateTime(at)}</span>
      </p>
      {typeof overview === "string" && (
        <p className="mt-1 line-clamp-6 text-[13px] whitespace-pre-wrap">{visibleText(overview)}</p>
      )}
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="mt-2 text-[13px] text-accent hover:underline"
      >
        {open ? "Hide the messages" : "Show the messages"}
      </button>
      {open && <ArchivedMessages uri={uri} />}
    </li>
  );
}

function ArchivedMessages({ uri }: { readonly uri: string }) {
  const { data, error } = useReadContent(childOf(uri, "messages.jsonl"), FIRST_LINES);
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Loading />;
  return (
    <ol className="mt-3 flex flex-col gap-3">
      {archivedMessages(data.content).map((message) => (
        <Message key={message.id} message={message} />
      ))}
    </ol>
  );
}
