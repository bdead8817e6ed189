import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

/** Maximum number in a session's name. */
const MAX_NUMBER = 99_999;

/**
 * Name of the caller's latest session among `name`, `name-2`, `name-3` and so on, which may not exist yet. A
 * new conversation (`begins`) continues it if it was changed less than `renewAfterMs` ago, otherwise uses the
 * next name.
 */
export async function latestSession(
  deps: { readonly tenants: Tenants },
  call: ServiceCall,
  input: { readonly name: string; readonly begins: boolean; readonly renewAfterMs: number },
): Promise<string> {
  const { name, begins, renewAfterMs } = input;
  const { workspace } = await deps.tenants.openOrEmpty(call.caller);
  const { kv, sessions } = workspace;
  const { user } = call.caller;
  const named = (number: number) => (number === 1 ? name : `${name}-${number}`);
  const wasMade = (number: number) =>
    sessions.find(kv, user, named(number)) !== undefined || sessions.wasDeleted(kv, user, named(number));
  // numbers are consecutive: double until one is free, then bisect
  let [made, free] = [0, 1];
  while (free <= MAX_NUMBER && wasMade(free)) [made, free] = [free, free * 2];
  while (free - made > 1) {
    const middle = Math.floor((made + free) / 2);
    if (wasMade(middle)) made = middle;
    else free = middle;
  }
  const newest = named(Math.max(1, made));
  const updated = sessions.find(kv, user, newest)?.record.updated;
  const isOver = begins && updated !== undefined && workspace.clock() - updated >= renewAfterMs;
  return isOver && made < MAX_NUMBER ? named(made + 1) : newest;
}
