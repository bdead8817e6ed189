import type { StatNodeResponse } from "../../../../typescript/src/gen/ctxdb/v1/filesystem_pb.ts";
import { useRemoveNode } from "../../api/filesystem.ts";
import { useListRelations } from "../../api/relations.ts";
import { plural } from "../../text/format.ts";
import { visible } from "../../text/uri.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { toast } from "../../ui/toasts.tsx";

interface DeleteDialogProps {
  readonly node: StatNodeResponse;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Memories are deleted permanently. */
const IN_MEMORIES = /^[a-z][a-z0-9+.-]*:\/\/(?:user|agent)\/[^/]+\/memories(?:\/|$)/;

/** Names everything that is deleted with a node. */
export function DeleteDialog({ node, onClose, onDeleted }: DeleteDialogProps) {
  const { uri, name, isDir, count = 0 } = node;
  const remove = useRemoveNode();
  const links = useListRelations(uri).data?.length ?? 0;
  const confirm = () =>
    remove.mutate(
      { uri, recursive: isDir },
      {
        onSuccess: ({ deleted, trashId }) => {
          toast(`${trashId === undefined ? "Deleted" : "Moved to the trash:"} ${plural(deleted, "node")}`);
          onClose();
          onDeleted();
        },
      },
    );
  return (
    <ConfirmDialog
      title={`Delete ${visible(name)}?`}
      hits={[
        isDir ? `The folder and ${plural(count, "node")} below it` : "The file",
        "Its summaries and its places in the search index",
        ...(links > 0 ? [plural(links, "relation")] : []),
      ]}
      name={name}
      action="Delete"
      undo={IN_MEMORIES.test(uri) ? undefined : "It can be restored from the trash."}
      call={remove}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
