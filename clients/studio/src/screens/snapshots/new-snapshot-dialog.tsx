import { useState } from "react";
import { useCreateSnapshot } from "../../api/snapshots.ts";
import { ROOT } from "../../text/uri.ts";
import { Input, Select } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toasts.tsx";

const DAY_SECONDS = 86_400;
const LIVES = [7, 30, 90, 365] as const;

export function NewSnapshotDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [uri, setUri] = useState(ROOT);
  const [description, setDescription] = useState("");
  const [days, setDays] = useState(0);
  const create = useCreateSnapshot();
  const submit = () =>
    create.mutate(
      {
        name: name.trim(),
        uri: uri.trim(),
        ...(description.trim() !== "" && { description: description.trim() }),
        ...(days > 0 && { expiresInSeconds: days * DAY_SECONDS }),
      },
      {
        onSuccess: (made) => {
          toast(`Created the snapshot ${made.name}`);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="New snapshot"
      about="It has the state of this moment."
      action="Create snapshot"
      disabled={name.trim() === "" || uri.trim() === ""}
      call={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="Name"
        hint="Letters, digits, and . _ -"
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Input
        label="Folder"
        hint="ctx:// is the whole workspace."
        spellCheck={false}
        value={uri}
        onChange={(event) => setUri(event.target.value)}
      />
      <Input
        label="Description"
        hint="What it is for. Optional."
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <Select label="Expires" value={days} onChange={(event) => setDays(Number(event.target.value))}>
        <option value={0}>never</option>
        {LIVES.map((life) => (
          <option key={life} value={life}>
            in {life} days
          </option>
        ))}
      </Select>
    </FormDialog>
  );
}
