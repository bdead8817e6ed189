import type { FormEvent, ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { Failure } from "./states.tsx";

interface FormDialogProps {
  readonly title: string;
  readonly about?: ReactNode;
  /** Label of the submit button. */
  readonly action: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** State of the submitted call. */
  readonly call: { readonly isPending: boolean; readonly error: unknown };
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with a form: submits it, and shows why that failed. */
export function FormDialog({
  title,
  about,
  action,
  danger = false,
  disabled = false,
  call,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog open onClose={onClose} title={title} about={about}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        {children}
        {call.error !== null && <Failure error={call.error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look={danger ? "danger" : "primary"}
            busy={call.isPending}
            disabled={disabled}
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
