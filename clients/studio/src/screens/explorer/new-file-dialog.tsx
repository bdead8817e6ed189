import { useState } from "react";
import { useWriteContent } from "../../api/content.ts";
import { childOf, visible } from "../../text/uri.ts";
import { Input, TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

interface NewFileDialogProps {
  readonly parent: string;
  readonly onClose: () => void;
  readonly onMade: (uri: string) => void;
}

export function NewFileDialog({ parent, onClose, onMade }: NewFileDialogProps) {
  const [name, setName] = useState("note.md");
  const [content, setContent] = useState("");
  const write = useWriteContent();
  const submit = () =>
    write.mutate(
      { uri: childOf(parent, name.trim()), content, mode: "create" },
      {
        onSuccess: ({ uri }) => {
          onClose();
          onMade(uri);
        },
      },
    );
  return (
    <FormDialog
      title="New text file"
      about={`In ${visible(parent)}`}
      action="Create file"
      disabled={name.trim() === ""}
      call={write}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input label="Name" autoFocus value={name} onChange={(event) => setName(event.target.value)} />
      <TextArea label="Text" rows={8} value={content} onChange={(event) => setContent(event.target.value)} />
    </FormDialog>
  );
}
