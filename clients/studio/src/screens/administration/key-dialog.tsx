import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";

interface KeyDialogProps {
  readonly owner: string;
  readonly apiKey: string;
  readonly onClose: () => void;
}

/** A new key: the server keeps its hash alone, so it is shown here and never again. */
export function KeyDialog({ owner, apiKey, onClose }: KeyDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Key of ${owner}`}
      about="Copy it now. It is shown once and cannot be shown again."
    >
      <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken p-3">
        <code className="min-w-0 flex-1 break-all select-all">{apiKey}</code>
        <CopyButton text={apiKey} label="Copy key" />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
