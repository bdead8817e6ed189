import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { identityNow, onOtherCaller, signOut } from "../identity/identity.ts";
import { codeOf } from "./client.ts";
import { noteUnavailable, onReconnect } from "./connection.ts";
import { noteTreeChange } from "./tree-changes.ts";

const MAX_RETRIES = 4;
const RETRY_PAUSE_MS = 1_000;
const STALE_AFTER_MS = 5_000;

/** Handles every failed call, in addition to what its screen shows. */
export function noteFailure(error: unknown): void {
  const code = codeOf(error);
  if (code === "UNAVAILABLE") noteUnavailable();
  if (code === "UNAUTHENTICATED" && identityNow().key !== undefined) {
    signOut(
      "Your key is no longer accepted. It may have been replaced, or your user removed. Sign in again.",
    );
  }
}

/** Retries only after 429. The connection handles an unreachable server. */
const isWorthRetry = (count: number, error: unknown): boolean =>
  codeOf(error) === "RESOURCE_EXHAUSTED" && count < MAX_RETRIES;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteFailure }),
  mutationCache: new MutationCache({ onError: noteFailure }),
  defaultOptions: {
    queries: {
      retry: isWorthRetry,
      retryDelay: (count) => RETRY_PAUSE_MS * 2 ** count,
      staleTime: STALE_AFTER_MS,
      networkMode: "always",
      refetchOnWindowFocus: false,
    },
    mutations: { networkMode: "always" },
  },
});

onOtherCaller(() => queryClient.clear());

onReconnect(() => {
  noteTreeChange();
  void queryClient.invalidateQueries();
});
