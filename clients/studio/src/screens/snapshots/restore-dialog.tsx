import { useState } from "react";
import { useRestorePreview, useRestoreSnapshot } from "../../api/snapshots.ts";
import { plural } from "../../text/format.ts";
import { visible } from "../../text/uri.ts";
import { Checkbox, Input } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Failure, Loading } from "../../ui/states.tsx";
import { toast } from "../../ui/toasts.tsx";

interface RestoreDialogProps {
  readonly name: string;
  readonly uri: string;
  readonly onClose: () => void;
}

interface Counts {
  readonly restored?: number;
  readonly trashed?: number;
  readonly lost?: number;
}

/** Shows what a restore would change before it is confirmed. */
export function RestoreDialog({ name, uri, onClose }: RestoreDialogProps) {
  const [keepAdded, setKeepAdded] = useState(false);
  const [typed, setTyped] = useState("");
  const { data, error } = useRestorePreview(name, keepAdded);
  const restore = useRestoreSnapshot();
  const submit = () =>
    restore.mutate(
      { name, keepAdded },
      {
        onSuccess: ({ restored, taskId }) => {
          toast(
            taskId === undefined
              ? `Restored ${plural(restored ?? 0, "node")}`
              : "The restore goes on in the background: see Tasks",
          );
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={`Restore ${visible(name)}?`}
      about={`${visible(uri)} becomes what it was.`}
      action="Restore snapshot"
      danger
      disabled={typed !== name || data === undefined}
      call={restore}
      onSubmit={submit}
      onClose={onClose}
    >
      {error !== null && <Failure error={error} />}
      {data === undefined && error === null && <Loading lines={2} />}
      {data !== undefined && <Preview counts={data} />}
      <Checkbox
        label="Keep what was added since"
        checked={keepAdded}
        onChange={(event) => setKeepAdded(event.target.checked)}
      />
      <p className="text-[13px]">Versions and the trash can undo it.</p>
      <Input
        label={`Type “${visible(name)}” to go on`}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}

function Preview({ counts: { restored = 0, trashed = 0, lost = 0 } }: { readonly counts: Counts }) {
  return (
    <ul className="list-disc pl-5 text-[13px]" aria-label="What would change">
      <li>{plural(restored, "file or folder", "files and folders")} would be as before</li>
      <li>{plural(trashed, "added file or folder", "added files and folders")} would go to the trash</li>
      {lost > 0 && (
        <li>{plural(lost, "file")} cannot be restored, because memories made of them were forgotten</li>
      )}
    </ul>
  );
}
