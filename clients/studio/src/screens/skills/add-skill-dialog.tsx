import { useState } from "react";
import { useAddSkill } from "../../api/skills.ts";
import { TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toasts.tsx";

const TEMPLATE = `---
name: release-notes
description: Writes release notes from merged changes. Use when a release is prepared.
---

# Release notes

1. List what was merged since the last tag.
2. Group it by what users notice.
`;

interface AddSkillDialogProps {
  readonly onClose: () => void;
  readonly onAdded: (name: string) => void;
}

export function AddSkillDialog({ onClose, onAdded }: AddSkillDialogProps) {
  const [document, setDocument] = useState(TEMPLATE);
  const add = useAddSkill();
  const submit = () =>
    add.mutate(document, {
      onSuccess: ({ name }) => {
        toast(`Stored the skill ${name}`);
        onClose();
        onAdded(name);
      },
    });
  return (
    <FormDialog
      title="Add a skill"
      about="A document with its name and description in the front matter. One of the same name is replaced."
      action="Add skill"
      call={add}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea
        label="Document"
        rows={14}
        spellCheck={false}
        className="font-mono text-[13px]"
        value={document}
        onChange={(event) => setDocument(event.target.value)}
      />
    </FormDialog>
  );
}
