import { useState } from "react";
import { visible } from "../text/uri.ts";
import { Input } from "./field.tsx";
import { FormDialog } from "./form-dialog.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  /** What else is affected, one line each. */
  readonly hits: readonly string[];
  /** Text that the user must type. */
  readonly name: string;
  readonly action: string;
  /** How the action can be undone; absent if it cannot. */
  readonly undo?: string | undefined;
  readonly call: { readonly isPending: boolean; readonly error: unknown };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Confirms a destructive action: lists what is affected, and asks for the name. */
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
