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

interface SkillDialogProps {
  /** Document of the skill to edit; absent for a new skill. */
  readonly document?: string;
  readonly onClose: () => void;
  readonly onStored: (name: string) => void;
}

/** Edits a skill's document; saving creates the skill or replaces the one with its name. */
export function SkillDialog({ document: stored, onClose, onStored }: SkillDialogProps) {
  const [document, setDocument] = useState(stored ?? TEMPLATE);
  const add = useAddSkill();
  const submit = () =>
    add.mutate(document, {
      onSuccess: ({ name }) => {
        toast(`Stored the skill ${name}`);
        onClose();
        onStored(name);
      },
    });
  return (
    <FormDialog
      title={stored === undefined ? "Add a skill" : "Edit the skill"}
      about="A document with its name and description in the front matter. One of the same name is replaced."
      action={stored === undefined ? "Add skill" : "Save skill"}
      disabled={document.trim() === "" || document === stored}
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
