import { useState } from "react";
import { useMoveNode } from "../../api/filesystem.ts";
import { visible } from "../../text/uri.ts";
import { Input } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toasts.tsx";

interface MoveDialogProps {
  readonly uri: string;
  readonly onClose: () => void;
  readonly onMoved: (uri: string) => void;
}

export function MoveDialog({ uri, onClose, onMoved }: MoveDialogProps) {
  const [to, setTo] = useState(uri);
  const move = useMoveNode();
  const submit = () =>
    move.mutate(
      { from: uri, to: to.trim() },
      {
        onSuccess: ({ to: moved }) => {
          toast(`Moved to ${visible(moved)}`);
          onClose();
          onMoved(moved);
        },
      },
    );
  return (
    <FormDialog
      title="Move or rename"
      about="Links, history and search follow. A node of the same kind at the new URI is replaced."
      action="Move"
      disabled={to.trim() === uri || to.trim() === ""}
      call={move}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="New URI"
        autoFocus
        spellCheck={false}
        value={to}
        hint="Missing parent folders are created."
        onChange={(event) => setTo(event.target.value)}
      />
    </FormDialog>
  );
}
