import { SecretDialog } from "../ui/secret-dialog.tsx";

interface KeyDialogProps {
  readonly owner: string;
  readonly apiKey: string;
  readonly onClose: () => void;
}

/** Shows a new key once: the server stores only its hash. */
export function KeyDialog({ owner, apiKey, onClose }: KeyDialogProps) {
  return <SecretDialog title={`Key of ${owner}`} secret={apiKey} copy="Copy key" onClose={onClose} />;
}
