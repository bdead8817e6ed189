import { useState } from "react";
import type { StatNodeResponse } from "../../../../typescript/src/gen/ctxdb/v1/filesystem_pb.ts";
import { useRemoveNode } from "../../api/filesystem.ts";
import { useListRelations } from "../../api/relations.ts";
import { plural } from "../../text/format.ts";
import { visible } from "../../text/uri.ts";
import { Input } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toasts.tsx";

interface DeleteDialogProps {
  readonly node: StatNodeResponse;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Says what goes along; what is more than one file asks for its name. */
export function DeleteDialog({ node, onClose, onDeleted }: DeleteDialogProps) {
  const { uri, name, isDir, count = 0 } = node;
  const [typed, setTyped] = useState("");
  const remove = useRemoveNode();
  const links = useListRelations(uri).data?.length ?? 0;
  const mustType = isDir && count > 0;
  const submit = () =>
    remove.mutate(
      { uri, recursive: isDir },
      {
        onSuccess: ({ deleted }) => {
          toast(`Deleted ${plural(deleted, "node")}`);
          onClose();
          onDeleted();
        },
      },
    );
  return (
    <FormDialog
      title={`Delete ${visible(name)}?`}
      about={
        <ul className="list-disc pl-5">
          <li>{isDir ? `The folder and ${plural(count, "node")} below it` : "The file"}</li>
          <li>Its summaries and its places in the search index</li>
          {links > 0 && <li>{plural(links, "relation")}</li>}
        </ul>
      }
      action="Delete"
      danger
      disabled={mustType && typed !== name}
      call={remove}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-[13px]">This cannot be undone.</p>
      {mustType && (
        <Input
          label={`Type “${visible(name)}” to go on`}
          autoFocus
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
    </FormDialog>
  );
}
