import { useState } from "react";
import { useMakeDirectory } from "../../api/filesystem.ts";
import { childOf, visible } from "../../text/uri.ts";
import { Input } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

interface NewFolderDialogProps {
  readonly parent: string;
  readonly onClose: () => void;
  readonly onMade: (uri: string) => void;
}

export function NewFolderDialog({ parent, onClose, onMade }: NewFolderDialogProps) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const make = useMakeDirectory();
  const submit = () =>
    make.mutate(
      {
        uri: childOf(parent, name.trim()),
        ...(description.trim() !== "" && { description: description.trim() }),
      },
      {
        onSuccess: ({ uri }) => {
          onClose();
          onMade(uri);
        },
      },
    );
  return (
    <FormDialog
      title="New folder"
      about={`In ${visible(parent)}`}
      action="Create folder"
      disabled={name.trim() === ""}
      call={make}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input label="Name" autoFocus value={name} onChange={(event) => setName(event.target.value)} />
      <Input
        label="Description"
        hint="Becomes its abstract (L0), by which agents find it. Optional."
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
    </FormDialog>
  );
}
