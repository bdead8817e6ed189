import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { messageOf } from "../api/client.ts";
import { onOtherCaller } from "../identity/identity.ts";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly failed: boolean;
}

const SHOWN_MS = 6_000;
const MAX_SHOWN = 4;

const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let lastId = 0;

function show(next: readonly Toast[]): void {
  toasts = next.slice(-MAX_SHOWN);
  for (const listener of listeners) listener();
}

const dismiss = (id: number): void => show(toasts.filter((toast) => toast.id !== id));

function add(text: string, failed: boolean): void {
  const id = ++lastId;
  show([...toasts, { id, text, failed }]);
  // errors stay until they are dismissed
  if (!failed) setTimeout(() => dismiss(id), SHOWN_MS);
}

onOtherCaller(() => show([]));

export const toast = (text: string): void => add(text, false);
export const toastError = (error: unknown): void => add(messageOf(error), true);

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div
      role="status"
      aria-live="polite"
      className="fixed right-4 bottom-4 z-[60] flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2"
    >
      {shown.map(({ id, text, failed }) => (
        <div
          key={id}
          className={`flex items-start gap-2 rounded-lg border bg-surface p-3 text-[13px] shadow-lg ${failed ? "border-danger/60" : "border-line"}`}
        >
          <p className={`min-w-0 flex-1 break-words ${failed ? "text-danger" : ""}`}>{text}</p>
          <button
            type="button"
            aria-label="Dismiss"
            onClick={() => dismiss(id)}
            className="text-soft hover:text-ink"
          >
            <X className="size-4" />
          </button>
        </div>
      ))}
    </div>
  );
}
