import { useState } from "react";
import { useCopyNode } from "../../api/filesystem.ts";
import { plural } from "../../text/format.ts";
import { visible } from "../../text/uri.ts";
import { Input } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toasts.tsx";

interface CopyDialogProps {
  readonly uri: string;
  readonly onClose: () => void;
  readonly onCopied: (uri: string) => void;
}

export function CopyDialog({ uri, onClose, onCopied }: CopyDialogProps) {
  const [to, setTo] = useState(uri);
  const copy = useCopyNode();
  const submit = () =>
    copy.mutate(
      { from: uri, to: to.trim() },
      {
        onSuccess: ({ to: made, copied, taskId }) => {
          onClose();
          if (taskId !== undefined) {
            toast(`Copying to ${visible(made)}. Tasks shows how far it is.`);
            return;
          }
          toast(`Copied ${plural(copied ?? 1, "node")} to ${visible(made)}`);
          onCopied(made);
        },
      },
    );
  return (
    <FormDialog
      title="Copy"
      about="Contents and summaries are copied; earlier versions stay with the original."
      action="Copy"
      disabled={to.trim() === uri || to.trim() === ""}
      call={copy}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="URI of the copy"
        autoFocus
        spellCheck={false}
        value={to}
        hint="Missing parent folders are created. Nothing is replaced."
        onChange={(event) => setTo(event.target.value)}
      />
    </FormDialog>
  );
}
