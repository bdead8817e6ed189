import type { ServiceCall } from "../service-call.ts";

export interface SystemStatus {
  initialized: boolean;
  version: string;
  user: string;
  account: string;
  role: string;
  /** Seconds since the start. */
  uptime: number;
}

/** GET system/status: the caller's identity and role. */
export function getStatus(
  deps: { version: string; clock: () => number; startedAt: number },
  call: ServiceCall,
): SystemStatus {
  const { user, account, role } = call.caller;
  return {
    initialized: true,
    version: deps.version,
    user,
    account,
    role,
    uptime: (deps.clock() - deps.startedAt) / 1000,
  };
}
