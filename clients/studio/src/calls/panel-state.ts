import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let open = false;

/** Shows or hides the calls that Studio made, from anywhere. */
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
