import { EventLoopYielder } from "../../base/event-loop.ts";
import { lastOf } from "../../base/expect.ts";
import { sortSteps } from "../../base/sort-steps.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { FoundSession } from "../../workspace/sessions/sessions.ts";
import type { Cursors } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { type SessionUser, userOf } from "./own-session.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

export interface SessionSummary {
  sessionId: string;
  uri: string;
  user: SessionUser;
  messageCount: number;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
}

/** Position of a session in the list: update time and id. */
type Place = readonly [updated: number, id: string];

interface PlacedSession {
  readonly place: Place;
  readonly session: FoundSession;
}

/** Last updated first; for equal times the newer session, which has the greater id. */
const compare = (a: Place, b: Place): number => b[0] - a[0] || (a[1] < b[1] ? 1 : a[1] > b[1] ? -1 : 0);

/** GET sessions: the caller's own sessions, last updated first. */
export async function listSessions(
  deps: { tenants: Tenants; cursors: Cursors },
  call: ServiceCall,
  input: {
    readonly limit?: number | undefined;
    readonly offset: number;
    readonly cursor?: string | undefined;
  },
): Promise<{ sessions: SessionSummary[]; nextCursor?: string }> {
  const limit = input.limit ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  const { workspace } = await deps.tenants.openOrEmpty(call.caller);
  const list = { operation: "sessions", caller: call.caller, incarnation: workspace.incarnation, args: [] };
  const resumed = deps.cursors.open(list, input.cursor);
  const behind: Place | undefined = resumed === undefined ? undefined : JSON.parse(resumed);
  const yielder = new EventLoopYielder(workspace.incarnation);
  const end = input.offset + limit;
  let found: PlacedSession[] = [];
  const order = () => yielder.through(sortSteps(found, (a, b) => compare(a.place, b.place)));
  for await (const session of workspace.sessions.of(workspace.kv, call.caller.user)) {
    call.signal.throwIfAborted();
    await yielder.yieldIfDue();
    const place: Place = [session.record.updated, session.id];
    if (behind === undefined || compare(behind, place) < 0) found.push({ place, session });
    // a user may have a million sessions: keep the first ones, and one more, which shows that there is a next
    // page
    if (found.length > 2 * (end + 1)) found = (await order()).slice(0, end + 1);
  }
  const shown = (await order()).slice(input.offset, end);
  const sessions = shown.map(({ session }): SessionSummary => {
    const { id, record } = session;
    return {
      sessionId: id,
      uri: workspace.uris.format(["session", call.caller.user, id]),
      user: userOf(call.caller, session),
      messageCount: record.buffer.messages,
      createdAt: new Date(record.created).toISOString(),
      updatedAt: new Date(record.updated).toISOString(),
    };
  });
  if (end >= found.length) return { sessions };
  return { sessions, nextCursor: deps.cursors.seal(list, JSON.stringify(lastOf(shown).place)) };
}
