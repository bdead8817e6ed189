import { useState } from "react";
import { visible } from "../text/uri.ts";
import { Input } from "./field.tsx";
import { FormDialog } from "./form-dialog.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  /** What it takes along, one line each. */
  readonly hits: readonly string[];
  /** What has to be typed. */
  readonly name: string;
  readonly action: string;
  /** How it can be undone; it cannot be without it. */
  readonly undo?: string | undefined;
  readonly call: { readonly isPending: boolean; readonly error: unknown };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Before something that removes much: names what it hits, and asks for the name. */
export function ConfirmDialog({
  title,
  hits,
  name,
  action,
  undo = "This cannot be undone.",
  call,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState("");
  return (
    <FormDialog
      title={title}
      about={
        <ul className="list-disc pl-5">
          {hits.map((hit) => (
            <li key={hit}>{hit}</li>
          ))}
        </ul>
      }
      action={action}
      danger
      disabled={typed !== name}
      call={call}
      onSubmit={onConfirm}
      onClose={onClose}
    >
      <p className="text-[13px]">{undo}</p>
      <Input
        label={`Type “${visible(name)}” to go on`}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}
