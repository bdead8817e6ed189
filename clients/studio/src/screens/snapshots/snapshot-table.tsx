import { FolderOpen, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import { type Snapshot, useDeleteSnapshot } from "../../api/snapshots.ts";
import { dateTime } from "../../text/format.ts";
import { visible } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Badge } from "../../ui/layout.tsx";
import { Table } from "../../ui/table.tsx";
import { UriText } from "../../ui/uri-text.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";

interface SnapshotTableProps {
  readonly snapshots: readonly Snapshot[];
  readonly onOpen: (name: string) => void;
}

export function SnapshotTable({ snapshots, onOpen }: SnapshotTableProps) {
  return (
    <Table
      label="Snapshots"
      rows={snapshots}
      rowKey={({ name }) => name}
      columns={[
        {
          title: "Snapshot",
          cell: ({ name, description, isShared }) => (
            <span className="flex min-w-36 flex-col items-start gap-1">
              <span className="font-medium">
                {visible(name)} {isShared && <Badge>shared</Badge>}
              </span>
              {description !== undefined && <span className="text-xs text-soft">{visible(description)}</span>}
            </span>
          ),
        },
        { title: "Folder", cell: ({ uri }) => <UriText uri={uri} /> },
        {
          title: "Created",
          cell: ({ createdAt, expiresAt, userId }) => (
            <span className="flex flex-col">
              <time dateTime={createdAt}>{dateTime(createdAt)}</time>
              <span className="text-xs text-soft">
                {userId !== undefined && `by ${visible(userId)}, `}
                {expiresAt === undefined ? "stays" : `until ${dateTime(expiresAt)}`}
              </span>
            </span>
          ),
        },
        {
          title: "Actions",
          hideTitle: true,
          numeric: true,
          cell: (snapshot) => <Actions snapshot={snapshot} onOpen={() => onOpen(snapshot.name)} />,
        },
      ]}
    />
  );
}

interface ActionsProps {
  readonly snapshot: Snapshot;
  readonly onOpen: () => void;
}

function Actions({ snapshot: { name, uri }, onOpen }: ActionsProps) {
  const [asked, setAsked] = useState<"restore" | "delete">();
  const remove = useDeleteSnapshot();
  const close = () => setAsked(undefined);
  return (
    <span className="flex justify-end gap-1">
      <Button aria-label={`Open ${visible(name)}`} onClick={onOpen}>
        <FolderOpen /> Open
      </Button>
      <Button aria-label={`Restore ${visible(name)}`} onClick={() => setAsked("restore")}>
        <RotateCcw /> Restore
      </Button>
      <Button aria-label={`Delete ${visible(name)}`} onClick={() => setAsked("delete")}>
        <Trash2 />
      </Button>
      {asked === "restore" && <RestoreDialog name={name} uri={uri} onClose={close} />}
      {asked === "delete" && (
        <ConfirmDialog
          title={`Delete the snapshot ${visible(name)}?`}
          hits={[
            `The state of ${visible(uri)} at that time`,
            "Contents that only this snapshot keeps; present files stay as they are",
          ]}
          name={name}
          action="Delete snapshot"
          call={remove}
          onConfirm={() => remove.mutate(name, { onSuccess: close })}
          onClose={close}
        />
      )}
    </span>
  );
}
