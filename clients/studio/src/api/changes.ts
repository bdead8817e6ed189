import { useEffect } from "react";
import type { Change } from "../../../typescript/src/gen/ctxdb/v1/change_pb.ts";
import { client, codeOf } from "./client.ts";
import { whenOnline } from "./connection.ts";
import { noteFailure, queryClient } from "./query-client.ts";

export type { Change };

/** Pause in ms between two batches of changes, since an import makes very many at once. */
const PAUSE_MS = 1_000;
/** Maximum number of changes per batch; after more, everything is loaded again. */
const MAX_CHANGES = 500;
/**
 * Pause in ms after a refused stream, for example because other tabs use all streams that the server allows.
 */
const REFUSED_MS = 30_000;

/** Error codes for a cursor whose changes are no longer stored, or that another server created. */
const EXPIRED: ReadonlySet<string> = new Set(["FAILED_PRECONDITION", "INVALID_ARGUMENT"]);

/** Receives the changes, or undefined if anything may have changed. */
type Listener = (changes: readonly Change[] | undefined) => void;

/** Follows changes of the tree by any user while the component is shown. */
export function useWatchChanges(onChanges: Listener): void {
  useEffect(() => {
    const feed = new ChangeFeed((changes) => {
      void refreshChanged(changes);
      onChanges(changes);
    });
    return () => feed.close();
  }, [onChanges]);
}

/** Loads displayed data again for changed nodes, their ancestors and their descendants. */
const refreshChanged = (changes: readonly Change[] | undefined): Promise<void> =>
  queryClient.invalidateQueries({
    queryKey: ["fs"],
    ...(changes !== undefined && {
      predicate: ({ queryKey }) => changes.some((change) => concerns(change, queryKey)),
    }),
  });

function concerns({ uri, previousUri = uri }: Change, key: readonly unknown[]): boolean {
  const asked = key.flatMap((part) =>
    part !== null && typeof part === "object" ? Object.values(part) : [part],
  );
  return asked.some(
    (text) =>
      typeof text === "string" &&
      text.startsWith("ctx://") &&
      [uri, previousUri].some((at) => isAtOrBelow(at, text) || isAtOrBelow(text, at)),
  );
}

/** Whether `uri` is `folder` or below it. */
export const isAtOrBelow = (uri: string, folder: string): boolean =>
  uri === folder || uri.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/** Reads the stream of changes while the tab is visible; it continues where it stopped. */
class ChangeFeed {
  readonly #listener: Listener;
  #cursor: string | undefined;
  #stream: AbortController | undefined;
  #noted: Change[] | undefined = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(listener: Listener) {
    this.#listener = listener;
    document.addEventListener("visibilitychange", this.#onVisibility);
    this.#onVisibility();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#onVisibility);
    this.#stream?.abort();
    clearTimeout(this.#timer);
  }

  // browsers limit the connections to a server, so hidden tabs give theirs up
  readonly #onVisibility = (): void => {
    this.#stream?.abort();
    if (document.visibilityState === "hidden") return;
    this.#stream = new AbortController();
    void this.#follow(this.#stream.signal);
  };

  async #follow(signal: AbortSignal): Promise<void> {
    for (let pauseMs = 0; !signal.aborted; await pause(pauseMs, signal)) {
      try {
        await this.#read(signal);
        pauseMs = 0;
      } catch (thrown) {
        if (signal.aborted) return;
        noteFailure(thrown);
        const code = codeOf(thrown);
        pauseMs = code === "RESOURCE_EXHAUSTED" ? REFUSED_MS : PAUSE_MS;
        if (code === "UNAVAILABLE") await whenOnline(signal);
        else if (this.#cursor !== undefined && EXPIRED.has(code)) {
          this.#cursor = undefined;
          this.#note(undefined);
        } else if (code !== "RESOURCE_EXHAUSTED") return;
      }
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const request = this.#cursor === undefined ? {} : { cursor: this.#cursor };
    for await (const { cursor, change } of client().changes.watch(request, { signal })) {
      this.#cursor = cursor;
      if (change !== undefined) this.#note(change);
    }
  }

  #note(change: Change | undefined): void {
    const isMany = (this.#noted?.length ?? 0) >= MAX_CHANGES;
    if (change === undefined || isMany) this.#noted = undefined;
    else this.#noted?.push(change);
    this.#timer ??= setTimeout(() => {
      const changes = this.#noted;
      this.#noted = [];
      this.#timer = undefined;
      this.#listener(changes);
    }, PAUSE_MS);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
  });
