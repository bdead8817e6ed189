import { RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import {
  type TrashItem,
  useDeleteTrash,
  useEmptyTrash,
  useListTrash,
  useRestoreTrash,
} from "../../api/trash.ts";
import { bytes, dateTime, plural } from "../../text/format.ts";
import { visible } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Badge, Page } from "../../ui/layout.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { UriText } from "../../ui/uri-text.tsx";

const CAUSES: Readonly<Record<string, string>> = {
  remove: "deleted",
  replace: "replaced",
  import: "taken out by an import",
};

/** Deleted and replaced items, until they expire. */
export function Trash() {
  const [emptying, setEmptying] = useState(false);
  const list = useListTrash();
  const { data, error, refetch } = list;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const first = data?.pages[0];
  return (
    <Page
      title="Trash"
      about={
        first && first.total > 0
          ? `${plural(first.total, "item")}, ${bytes(first.bytes)}, which count as stored.`
          : "What is deleted, replaced by a move, or taken out by an import waits here until it expires."
      }
      actions={
        items.length > 0 && (
          <Button look="danger" onClick={() => setEmptying(true)}>
            <Trash2 /> Empty the trash
          </Button>
        )
      }
    >
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && items.length === 0 && (
        <Empty icon={Trash2} title="The trash is empty">
          What you delete can be restored from here. Memories and sessions are deleted for good.
        </Empty>
      )}
      {items.length > 0 && <Items items={items} />}
      <MoreButton list={list} label="Older ones" />
      {emptying && <EmptyDialog onClose={() => setEmptying(false)} />}
    </Page>
  );
}

function Items({ items }: { readonly items: readonly TrashItem[] }) {
  return (
    <Table
      label="Trash"
      rows={items}
      rowKey={({ trashId }) => trashId}
      columns={[
        {
          title: "Was at",
          cell: ({ uri, cause, nodes }) => (
            <span className="flex min-w-36 flex-col items-start gap-1">
              <span className="font-medium">
                <UriText uri={uri} />
              </span>
              <span className="flex flex-wrap gap-1">
                <Badge>{CAUSES[cause] ?? cause}</Badge>
                <Badge>{plural(nodes, "node")}</Badge>
              </span>
            </span>
          ),
        },
        { title: "Size", numeric: true, cell: ({ bytes: size }) => (size === undefined ? "" : bytes(size)) },
        {
          title: "Removed",
          cell: ({ removedAt, expiresAt, userId }) => (
            <span className="flex flex-col">
              <time dateTime={removedAt}>{dateTime(removedAt)}</time>
              <span className="text-xs text-soft">
                {userId !== undefined && `by ${visible(userId)}, `}
                {expiresAt === "" ? "kept without a limit of time" : `kept until ${dateTime(expiresAt)}`}
              </span>
            </span>
          ),
        },
        { title: "Actions", hideTitle: true, numeric: true, cell: (item) => <Actions item={item} /> },
      ]}
    />
  );
}

function Actions({ item: { trashId, uri } }: { readonly item: TrashItem }) {
  const [deleting, setDeleting] = useState(false);
  const restore = useRestoreTrash();
  const remove = useDeleteTrash();
  const name = uri.slice(uri.lastIndexOf("/") + 1);
  const onRestore = () =>
    restore.mutate(trashId, {
      onSuccess: (restored) => toast(`Restored ${visible(restored.uri)}`),
      onError: toastError,
    });
  return (
    <span className="flex justify-end gap-1">
      <Button busy={restore.isPending} aria-label={`Restore ${visible(name)}`} onClick={onRestore}>
        <RotateCcw /> Restore
      </Button>
      <Button aria-label={`Delete ${visible(name)} for good`} onClick={() => setDeleting(true)}>
        <Trash2 />
      </Button>
      {deleting && (
        <ConfirmDialog
          title={`Delete ${visible(name)} for good?`}
          hits={["Its content and all of its versions"]}
          name={name}
          action="Delete"
          call={remove}
          onConfirm={() => remove.mutate(trashId, { onSuccess: () => setDeleting(false) })}
          onClose={() => setDeleting(false)}
        />
      )}
    </span>
  );
}

function EmptyDialog({ onClose }: { readonly onClose: () => void }) {
  const empty = useEmptyTrash();
  const onConfirm = () =>
    empty.mutate(undefined, {
      onSuccess: ({ deleted }) => {
        toast(`Deleted ${plural(deleted, "item")}`);
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title="Empty the trash?"
      hits={["Items removed from your own spaces", "Items that you removed from shared folders"]}
      name="empty"
      action="Empty the trash"
      call={empty}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
