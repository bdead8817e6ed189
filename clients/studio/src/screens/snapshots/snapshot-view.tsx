import { useState } from "react";
import {
  type Snapshot,
  type SnapshotDifference,
  type SnapshotEntry,
  useSnapshotDiff,
  useSnapshotEntries,
} from "../../api/snapshots.ts";
import { bytes, dateTime } from "../../text/format.ts";
import { nameOf, parentOf, visible } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { Badge, Card } from "../../ui/layout.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { Failure, Loading } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { UriText } from "../../ui/uri-text.tsx";

interface SnapshotViewProps {
  readonly snapshot: Snapshot;
  /** Snapshots to compare with. */
  readonly others: readonly Snapshot[];
}

/** A snapshot: its files, and the differences from another state. */
export function SnapshotView({ snapshot, others }: SnapshotViewProps) {
  return (
    <div className="mt-6 flex flex-col gap-4">
      <Entries snapshot={snapshot} />
      <Differences snapshot={snapshot} others={others} />
    </div>
  );
}

function Entries({ snapshot: { name, uri: top } }: Pick<SnapshotViewProps, "snapshot">) {
  const [uri, setUri] = useState(top);
  const list = useSnapshotEntries(name, uri);
  const { data, error, refetch } = list;
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Card
      title={`Files of ${visible(name)}`}
      flush
      actions={uri === top ? undefined : <Button onClick={() => setUri(parentOf(uri))}>Up</Button>}
    >
      <p className="px-4 py-2 text-[13px] text-soft">
        <UriText uri={uri} />
      </p>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && entries.length === 0 && <p className="p-4 text-soft">Nothing was here.</p>}
      {entries.length > 0 && (
        <Table
          label={`Files of ${visible(name)}`}
          rows={entries}
          rowKey={(entry) => entry.uri}
          columns={[
            { title: "Name", cell: (entry) => <Name entry={entry} onOpen={setUri} /> },
            {
              title: "Size",
              numeric: true,
              cell: ({ type, size }) => (type === "directory" ? "" : bytes(size)),
            },
            {
              title: "Modified",
              cell: ({ modifiedAt }) => (modifiedAt === undefined ? "" : dateTime(modifiedAt)),
            },
          ]}
        />
      )}
      <MoreButton list={list} label="More files" />
    </Card>
  );
}

interface NameProps {
  readonly entry: SnapshotEntry;
  readonly onOpen: (uri: string) => void;
}

function Name({ entry: { uri, type }, onOpen }: NameProps) {
  const name = visible(nameOf(uri));
  if (type !== "directory") return name;
  return (
    <Button aria-label={`Open the folder ${name}`} onClick={() => onOpen(uri)}>
      {name}
    </Button>
  );
}

const PRESENT = "";

function Differences({ snapshot, others }: SnapshotViewProps) {
  const [to, setTo] = useState(PRESENT);
  const list = useSnapshotDiff(snapshot.name, to === PRESENT ? undefined : to);
  const { data, error, refetch } = list;
  const differences = data?.pages.flatMap((page) => page.differences) ?? [];
  const later = others.filter(
    ({ name, createdAt }) => name !== snapshot.name && createdAt >= snapshot.createdAt,
  );
  return (
    <Card title={`Changes since ${visible(snapshot.name)}`} flush>
      <div className="px-4 py-3">
        <Select label="Compare with" value={to} onChange={(event) => setTo(event.target.value)}>
          <option value={PRESENT}>the present</option>
          {later.map(({ name }) => (
            <option key={name} value={name}>
              {visible(name)}
            </option>
          ))}
        </Select>
      </div>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && differences.length === 0 && <p className="p-4 text-soft">Nothing differs.</p>}
      {differences.length > 0 && <DifferenceTable differences={differences} />}
      <MoreButton list={list} label="More changes" />
    </Card>
  );
}

function DifferenceTable({ differences }: { readonly differences: readonly SnapshotDifference[] }) {
  const sizeOf = (size: number | undefined) => (size === undefined ? "" : bytes(size));
  return (
    <Table
      label="Changes"
      rows={differences}
      rowKey={({ kind, uri }) => `${kind} ${uri}`}
      columns={[
        { title: "Change", cell: ({ kind }) => <Badge>{kind}</Badge> },
        { title: "URI", cell: ({ uri }) => <UriText uri={uri} /> },
        {
          title: "Moved from",
          cell: ({ movedFrom }) => movedFrom !== undefined && <UriText uri={movedFrom} />,
        },
        { title: "Before", numeric: true, cell: ({ sizeBefore }) => sizeOf(sizeBefore) },
        { title: "After", numeric: true, cell: ({ sizeAfter }) => sizeOf(sizeAfter) },
      ]}
    />
  );
}
