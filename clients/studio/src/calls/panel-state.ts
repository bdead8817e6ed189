import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let open = false;

/** Shows or hides the panel with the calls that Studio made. */
export function showCalls(next: boolean): void {
  open = next;
  for (const listener of listeners) listener();
}

export const useCallsShown = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
