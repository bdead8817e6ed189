import { Archive } from "lucide-react";
import { useState } from "react";
import { codeOf } from "../../api/client.ts";
import { FIRST_LINES, useOverview, useReadContent } from "../../api/content.ts";
import { useListEntries } from "../../api/filesystem.ts";
import { useStatus } from "../../api/system.ts";
import { Markdown } from "../../content/markdown.tsx";
import { dateTime } from "../../text/format.ts";
import { childOf } from "../../text/uri.ts";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { archivedMessages } from "./archived-messages.ts";
import { Message } from "./message.tsx";

/** Location of a message in the archives of a session. */
export interface ArchivePlace {
  /** Number of the archive, from 1. */
  readonly archive: number;
  /** Id of a message. */
  readonly message: string | undefined;
}

interface ArchivesProps {
  readonly id: string;
  readonly place: ArchivePlace | undefined;
}

/** The archives of a session, latest first. */
export function Archives({ id, place }: ArchivesProps) {
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
      {archives.map(({ uri, modTime }) => {
        const isPlace = numberOf(uri) === place?.archive;
        return (
          <ArchiveItem
            key={uri}
            uri={uri}
            at={modTime}
            isFirst={isPlace}
            message={isPlace ? place?.message : undefined}
          />
        );
      })}
    </ul>
  );
}

/** Archive number from a URI: 12 for …/archive_012. */
const numberOf = (uri: string): number => Number(/_0*(\d+)$/.exec(uri)?.[1]);

interface ArchiveItemProps {
  readonly uri: string;
  readonly at: string;
  readonly isFirst: boolean;
  readonly message: string | undefined;
}

function ArchiveItem({ uri, at, isFirst, message }: ArchiveItemProps) {
  const [open, setOpen] = useState(isFirst);
  const { data: overview } = useOverview(uri);
  return (
    <li className="rounded-xl border border-line p-4">
      <p className="flex flex-wrap gap-2">
        <span className="font-medium">Archive {numberOf(uri)}</span>
        <span className="text-soft">{dateTime(at)}</span>
      </p>
      {typeof overview === "string" && (
        <div className="mt-2 text-[13px]">
          <Markdown text={overview} uri={`${uri}/.overview.md`} />
        </div>
      )}
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="mt-2 text-[13px] text-accent hover:underline"
      >
        {open ? "Hide the messages" : "Show the messages"}
      </button>
      {open && <ArchivedMessages uri={uri} marked={message} />}
    </li>
  );
}

function ArchivedMessages({ uri, marked }: { readonly uri: string; readonly marked: string | undefined }) {
  const { data, error } = useReadContent(childOf(uri, "messages.jsonl"), FIRST_LINES);
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Loading />;
  return (
    <ol className="mt-3 flex flex-col gap-3">
      {archivedMessages(data.content).map((message) => (
        <Message key={message.id} message={message} isMarked={message.id === marked} />
      ))}
    </ol>
  );
}
