import { useState } from "react";
import { useAddUrl } from "../../api/resources.ts";
import { visible } from "../../text/uri.ts";
import { Input } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toasts.tsx";

export function AddUrlDialog({ parent, onClose }: { readonly parent: string; readonly onClose: () => void }) {
  const [url, setUrl] = useState("");
  const add = useAddUrl();
  const submit = () =>
    add.mutate(
      { url: url.trim(), parent },
      {
        onSuccess: ({ rootUri }) => {
          toast(`Importing to ${visible(rootUri)}. Tasks shows how far it is.`);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="Import from the web"
      about={`Goes to ${visible(parent)}. The server fetches it.`}
      action="Import"
      disabled={url.trim() === ""}
      call={add}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="Address"
        type="text"
        autoFocus
        placeholder="https://example.com/guide or https://github.com/owner/repository"
        hint="A page, a document, an archive, or a Git repository."
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
    </FormDialog>
  );
}
