import { useState } from "react";
import { useLinkNodes } from "../../api/relations.ts";
import { visible } from "../../text/uri.ts";
import { Input } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toasts.tsx";

export function LinkDialog({ uri, onClose }: { readonly uri: string; readonly onClose: () => void }) {
  const [toUri, setToUri] = useState("");
  const [reason, setReason] = useState("");
  const link = useLinkNodes();
  const submit = () =>
    link.mutate(
      { fromUri: uri, toUri: toUri.trim(), reason: reason.trim() },
      {
        onSuccess: () => {
          toast("Linked");
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="Link to another node"
      about={`From ${visible(uri)}`}
      action="Link"
      disabled={toUri.trim() === ""}
      call={link}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="URI of the other node"
        autoFocus
        placeholder="ctx://resources/…"
        value={toUri}
        onChange={(event) => setToUri(event.target.value)}
      />
      <Input
        label="Reason"
        hint="Shown with hits, so that agents know why to follow it."
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </FormDialog>
  );
}
