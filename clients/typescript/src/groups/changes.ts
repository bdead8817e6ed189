import type { Caller } from "../caller.ts";
import { CtxdbError } from "../errors.ts";
import type { Fields } from "../fields.ts";
import {
  ChangeService,
  type ListChangesRequest,
  type ListChangesResponse,
  type WatchChangesRequest,
  type WatchChangesResponse,
} from "../gen/ctxdb/v1/change_pb.ts";
import type { CallOptions } from "../options.ts";
import { pause, pauseBefore } from "../retry.ts";

/** Changes of files and folders, in commit order. */
export class Changes {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns a page of changes. Its cursor continues with later changes. */
  async list(request: Fields<ListChangesRequest> = {}, options?: CallOptions): Promise<ListChangesResponse> {
    return (await this.#caller.read(ChangeService.method.listChanges, request, options)).message;
  }

  /**
   * Streams changes as they are committed; without a deadline, it never ends. Reconnects after a lost
   * connection with the cursor of the last event, which yields another "start" event.
   */
  async *watch(
    request: Fields<WatchChangesRequest> = {},
    options: CallOptions = {},
  ): AsyncGenerator<WatchChangesResponse> {
    const { longDeadlineSeconds, retries } = this.#caller.settings;
    const { signal, deadlineSeconds = Number.POSITIVE_INFINITY } = options;
    const ends = performance.now() + deadlineSeconds * 1000;
    let { cursor } = request;
    for (let failures = 0, wanted = 0; ; await pause(wanted, signal)) {
      const left = (ends - performance.now()) / 1000;
      const isLast = left <= longDeadlineSeconds;
      try {
        const asked = { ...request, ...(cursor !== undefined && { cursor }) };
        for await (const event of await this.#caller.stream(ChangeService.method.watchChanges, asked, {
          signal,
          deadlineSeconds: isLast ? Math.max(left, MIN_SECONDS) : longDeadlineSeconds,
        })) {
          failures = 0;
          cursor = event.cursor;
          yield event;
        }
        return;
      } catch (thrown) {
        const code = thrown instanceof CtxdbError ? thrown.code : undefined;
        // each connection has a deadline, so that one that died unnoticed is replaced
        const isReplaced = code === "DEADLINE_EXCEEDED" && !isLast;
        wanted = isReplaced ? 0 : pauseBefore(failures, thrown);
        if (isReplaced) continue;
        if (code !== "UNAVAILABLE" || ++failures > retries || performance.now() + wanted >= ends)
          throw thrown;
      }
    }
  }
}

/** Remaining time of a deadline in ms, with a minimum. */
const MIN_SECONDS = 0.001;
