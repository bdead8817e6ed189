import { useState } from "react";
import type { StatNodeResponse } from "../../../../typescript/src/gen/ctxdb/v1/filesystem_pb.ts";
import { useTagNode } from "../../api/filesystem.ts";
import { Input } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toasts.tsx";

interface TagsDialogProps {
  readonly node: StatNodeResponse;
  readonly onClose: () => void;
}

const tagsIn = (text: string): string[] => text.split(/[\s,]+/).filter((tag) => tag !== "");

export function TagsDialog({ node, onClose }: TagsDialogProps) {
  const [text, setText] = useState(node.tags.join(" "));
  const tag = useTagNode();
  const submit = () =>
    tag.mutate(
      { uri: node.uri, tags: tagsIn(text) },
      {
        onSuccess: ({ tags }) => {
          onClose();
          toast(tags.length > 0 ? `Tags: ${tags.join(", ")}` : "No tags");
        },
      },
    );
  return (
    <FormDialog
      title="Tags"
      about={
        node.isDir
          ? "Tags of a folder hold for everything below it. Filters by tags find it there."
          : "Filters by tags find the file."
      }
      action="Save"
      call={tag}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="Tags"
        autoFocus
        spellCheck={false}
        value={text}
        hint="Separated by spaces. Letters, digits and . _ : / + # -"
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  );
}
