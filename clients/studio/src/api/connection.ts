import { useSyncExternalStore } from "react";

/** Whether the server is reachable, according to the last calls. */
type Connection = "online" | "away";

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;

const listeners = new Set<() => void>();
let state: Connection = "online";
let whenBack: () => void = () => undefined;

function become(next: Connection): void {
  if (state === next) return;
  state = next;
  for (const listener of listeners) listener();
}

/** Called when the server is reachable again; all displayed data is then fetched again. */
export function onReconnect(listener: () => void): void {
  whenBack = listener;
}

/** Called when a call finds no server; polls its health until it responds. */
export function noteUnavailable(): void {
  if (state === "away") return;
  become("away");
  askAgain(FIRST_PAUSE_MS);
}

function askAgain(pauseMs: number): void {
  setTimeout(async () => {
    const ready = await fetch("/ready").then(
      (response) => response.ok,
      () => false,
    );
    if (!ready) return askAgain(Math.min(pauseMs * 1.5, MAX_PAUSE_MS));
    become("online");
    whenBack();
  }, pauseMs);
}

/** Resolves when the server responds again, or when the signal aborts. */
export const whenOnline = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      listeners.delete(onChange);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const onChange = () => {
      if (state === "online") end();
    };
    listeners.add(onChange);
    signal.addEventListener("abort", end);
    onChange();
  });

export const useConnection = (): Connection =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
