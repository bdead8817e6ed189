import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

export interface CallerIdentity {
  accountId: string;
  userId: string;
  role: string;
  agentId: string;
  groups: string[];
  /** Name of the request's additional key; absent for main keys and ROOT. */
  keyName?: string;
  access: "read" | "write" | "all";
}

/** GET access/whoami: the caller's identity and groups. */
export async function whoAmI(deps: { tenants: Tenants }, { caller }: ServiceCall): Promise<CallerIdentity> {
  const { workspace } = await deps.tenants.openOrEmpty(caller);
  return {
    accountId: caller.account,
    userId: caller.user,
    role: caller.role,
    agentId: caller.agent,
    groups: [...workspace.sharing.groupsOf(caller)].sort(),
    ...(caller.key && { keyName: caller.key.name }),
    access: caller.key?.access ?? "all",
  };
}
