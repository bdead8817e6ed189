import { useBlocker } from "@tanstack/react-router";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";

/** Asks before another screen, another node or a closed tab would lose text that is not saved. */
export function UnsavedText({ isChanged }: { readonly isChanged: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: isChanged,
    disabled: !isChanged,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <Dialog
      open
      onClose={reset}
      title="Leave without saving?"
      about="What you typed since the last save would be lost."
    >
      <DialogActions>
        <Button onClick={reset}>Stay</Button>
        <Button look="danger" onClick={proceed}>
          Discard changes and leave
        </Button>
      </DialogActions>
    </Dialog>
  );
}
