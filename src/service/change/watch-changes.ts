import type { ChangeView } from "../change-reader.ts";
import type { Cursors } from "../cursors.ts";
import { type ServiceCall, waitSignalOf } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { CallerChanges, type ChangesInput } from "./caller-changes.ts";
import type { ChangeStreams } from "./change-streams.ts";

export interface ChangeDeps {
  readonly tenants: Tenants;
  readonly cursors: Cursors;
  readonly streams: ChangeStreams;
  /** Time in seconds without an event after which a heartbeat is sent. */
  readonly heartbeatSeconds: number;
}

interface ChangeEvent {
  readonly event: "start" | "change" | "heartbeat";
  readonly cursor: string;
  readonly change?: ChangeView;
}

/**
 * ChangeService.WatchChanges: streams the changes after a cursor, then each new one as it is committed. Reads
 * the log at the pace of the client, so that a slow client needs no queue. Ends with the call.
 */
export async function* watchChanges(
  { streams, heartbeatSeconds, ...deps }: ChangeDeps,
  call: ServiceCall,
  input: ChangesInput,
): AsyncGenerator<ChangeEvent> {
  const { caller } = call;
  const signal = waitSignalOf(call);
  const reader = await CallerChanges.open(deps, caller, input, "watch");
  const place = streams.enter(caller, reader.incarnation);
  try {
    yield { event: "start", cursor: reader.cursor };
    for (let beat: AbortSignal | undefined; ; ) {
      for await (const { change, cursor } of reader.read(signal)) {
        signal.throwIfAborted();
        streams.sent++;
        yield { event: "change", cursor, change };
        beat = undefined;
      }
      // hidden changes must not delay the heartbeat, because that would reveal them
      beat ??= AbortSignal.timeout(heartbeatSeconds * 1000);
      await reader.moved([signal, beat]);
      signal.throwIfAborted();
      if (!beat.aborted) continue;
      beat = undefined;
      yield { event: "heartbeat", cursor: reader.cursor };
    }
  } finally {
    place.release();
  }
}
