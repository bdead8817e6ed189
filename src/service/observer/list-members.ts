import type { Caller } from "../../domain/caller.ts";
import { permissionDenied } from "../../domain/errors.ts";
import type { MemberState, Members } from "../../storage/stores.ts";
import type { ServiceCall } from "../call.ts";

/** Maximum number of accounts shown per member. */
const MAX_ACCOUNTS = 1000;

export interface MembersDeps {
  /** Undefined if this server has its store alone. */
  readonly members: Members | undefined;
}

interface ListedMember extends Omit<MemberState, "accounts"> {
  isAnswering: boolean;
  accounts: string[];
}

/** Throws unless the caller is ROOT, because members own accounts of all workspaces. */
export function checkMembers(caller: Caller): void {
  if (caller.role !== "root") throw permissionDenied("servers of the store", "only ROOT may list them");
}

/** GET observer/members: the servers of the store by number; none if this one has its store alone. */
export async function listMembers(
  { members }: MembersDeps,
  call: ServiceCall,
): Promise<{ members: ListedMember[] }> {
  checkMembers(call.caller);
  const states = (await members?.states(MAX_ACCOUNTS)) ?? [];
  return {
    members: states.map((state) => ({
      ...state,
      isAnswering: state.number === members?.self,
      accounts: [...state.accounts],
    })),
  };
}
