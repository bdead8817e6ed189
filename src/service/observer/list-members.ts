import type { Caller } from "../../domain/caller.ts";
import { permissionDenied } from "../../domain/errors.ts";
import type { Directory } from "../../storage/account-directory.ts";
import type { Cluster } from "../../storage/open.ts";
import type { MemberState } from "../../storage/stores.ts";
import type { ServiceCall } from "../service-call.ts";

/** Maximum number of accounts per member, and of hand-overs, in a response. */
const MAX_ACCOUNTS = 1000;

export interface MembersDeps {
  /** Undefined if no other server uses the store. */
  readonly cluster: Pick<Cluster, "members" | "handOvers"> | undefined;
  readonly directory: Pick<Directory, "incarnationOf">;
}

interface ListedMember extends Omit<MemberState, "accounts"> {
  isAnswering: boolean;
  accounts: string[];
}

/** Throws unless the caller is ROOT, because members hold accounts of all tenants. */
export function checkMembers(caller: Caller): void {
  if (caller.role !== "root")
    throw permissionDenied("servers of the store", "only ROOT may list or change them");
}

/** The servers of the store by number; empty if no other server uses the store. */
export async function memberStates({ cluster }: MembersDeps): Promise<ListedMember[]> {
  const states = (await cluster?.members.states(MAX_ACCOUNTS)) ?? [];
  return states.map((state) => ({
    ...state,
    isAnswering: state.number === cluster?.members.self,
    accounts: [...state.accounts],
  }));
}

/** GET observer/members: the servers of the store, and the hand-overs in progress. */
export async function listMembers(deps: MembersDeps, call: ServiceCall) {
  checkMembers(call.caller);
  const handOvers = (await deps.cluster?.handOvers.handOvers(MAX_ACCOUNTS)) ?? [];
  return {
    members: await memberStates(deps),
    handOvers: handOvers.map((one) => ({ ...one, account: one.account ?? "", from: one.from ?? 0 })),
  };
}
