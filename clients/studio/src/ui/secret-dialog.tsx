import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";

interface SecretDialogProps {
  readonly title: string;
  readonly secret: string;
  /** Label of the copy button. */
  readonly copy: string;
  readonly onClose: () => void;
}

/** Shows a new secret, which the server cannot show again. */
export function SecretDialog({ title, secret, copy, onClose }: SecretDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      about="Copy it now. It is shown once and cannot be shown again."
    >
      <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken p-3">
        <code className="min-w-0 flex-1 break-all select-all">{secret}</code>
        <CopyButton text={secret} label={copy} />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
