import { EventLoopYielder } from "../../base/event-loop.ts";
import { blockText } from "../../retrieve/recall-block.ts";
import { retryConflicts } from "../../workspace/conflict.ts";
import type { RecalledExtent } from "../../workspace/records.ts";
import {
  changeRecalled,
  recalledAt,
  recalledExtent,
  recalledParts,
} from "../../workspace/sessions/recalled.ts";
import type { ServiceCall } from "../service-call.ts";
import { partsThere } from "./recalled-parts.ts";
import type { SearchDeps } from "./run-search.ts";

/**
 * The blocks of these turns by name; their bytes never change, except for deleted parts. Turns without a
 * block are omitted. `asked`: the turns with a stored block, even an empty one.
 */
export async function recalledTurns(
  deps: SearchDeps,
  call: ServiceCall,
  input: { readonly sessionId: string; readonly turns: readonly string[] },
): Promise<{ readonly blocks: ReadonlyMap<string, string>; readonly asked: ReadonlyMap<string, unknown> }> {
  const { workspace, owner } = await deps.tenants.openOrEmpty(call.caller);
  const { kv, keys, sessions } = workspace;
  const blocks = new Map<string, string>();
  const asked = new Map<string, RecalledExtent>();
  const session = sessions.find(kv, call.caller.user, input.sessionId);
  if (session === undefined) return { blocks, asked };
  const yielder = new EventLoopYielder(workspace.incarnation);
  for (const turn of input.turns) {
    await yielder.yieldIfDue();
    const extent = recalledAt(kv, keys, session.node, turn);
    if (extent !== undefined) asked.set(turn, extent);
  }
  // read after the turns, so that their additions are included
  const parts = partsThere(workspace, owner, await recalledParts(kv, keys, session.node));
  for (const [turn, { first, last, from = first }] of asked) {
    const added = parts.filter(([sequence]) => sequence >= from && sequence <= last);
    if (added.length > 0) blocks.set(turn, blockText(added.map(([, { text }]) => text)));
  }
  return { blocks, asked };
}

/** Stores an empty block for a turn that was sent without one, if it has none yet. */
export async function leaveTurnOut(
  deps: Pick<SearchDeps, "tenants">,
  call: ServiceCall,
  { sessionId, turn }: { readonly sessionId: string; readonly turn: string },
): Promise<void> {
  const { workspace } = await deps.tenants.openOrCreate(call.caller);
  const { keys, sessions } = workspace;
  const nothing = { turn, added: [], dropped: [], isRestarted: false };
  const leave = () =>
    workspace.transact(
      (draft) => {
        const node = sessions.find(draft, call.caller.user, sessionId)?.node;
        if (node !== undefined && recalledAt(draft, keys, node, turn) === undefined)
          changeRecalled(draft, node, { ...nothing, before: recalledExtent(draft, keys, node) });
        return () => undefined;
      },
      { sync: false },
    );
  await retryConflicts(leave);
}
