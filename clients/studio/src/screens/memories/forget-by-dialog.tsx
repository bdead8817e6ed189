import { useState } from "react";
import { type ForgetSelection, useForget, useForgetPreview } from "../../api/memories.ts";
import { Input, Select } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { forgetNow } from "./forget-dialog.tsx";
import { ForgetPreview, removesAnything } from "./forget-preview.tsx";

interface ForgetByDialogProps {
  readonly onClose: () => void;
  readonly onForgotten: () => void;
}

/** Forgets everything with certain words, or about a person or thing, after a preview. */
export function ForgetByDialog({ onClose, onForgotten }: ForgetByDialogProps) {
  const [by, setBy] = useState<"query" | "subject">("query");
  const [text, setText] = useState("");
  const preview = useForgetPreview();
  const forget = useForget();
  const wanted = text.trim();
  const selection: ForgetSelection = by === "query" ? { query: wanted } : { subject: wanted };
  const isShown = preview.data !== undefined;
  return (
    <FormDialog
      title="Forget for good"
      about="Memories, their source sentences, and everything derived from them."
      action={isShown ? "Forget" : "Show what would go"}
      danger={isShown}
      disabled={wanted === "" || (preview.data !== undefined && !removesAnything(preview.data))}
      call={{ isPending: preview.isPending || forget.isPending, error: preview.error ?? forget.error }}
      onSubmit={() =>
        isShown ? forgetNow(forget, selection, onClose, onForgotten) : preview.mutate(selection)
      }
      onClose={onClose}
    >
      <Select
        label="What to forget"
        value={by}
        onChange={(event) => {
          setBy(event.target.value === "subject" ? "subject" : "query");
          preview.reset();
        }}
      >
        <option value="query">Memories with these words</option>
        <option value="subject">Memories about a person or thing</option>
      </Select>
      <Input
        label={by === "query" ? "Words" : "Person or thing"}
        hint={
          by === "query"
            ? "All words must occur, in any form: “allergies” finds “allergy”."
            : "The name used in the conversation; “user” means your profile."
        }
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          preview.reset();
        }}
      />
      {preview.data !== undefined && <ForgetPreview preview={preview.data} />}
    </FormDialog>
  );
}
