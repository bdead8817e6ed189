import type { KeyUses } from "../../accounts/account-records.ts";
import type { KeyListing } from "../../accounts/user-keys.ts";

/** An API key in API responses. Times are ISO 8601, UTC. */
export interface KeyView {
  name: string;
  /** `all` for the main key. */
  access: "read" | "write" | "all";
  agentId?: string;
  createdAt: string;
  expiresAt?: string;
  lastUsedAt?: string;
}

export function keyView(
  { name, access, agent, createdAt, expiresAt }: KeyListing,
  uses: KeyUses = {},
): KeyView {
  const usedAt = uses[name];
  return {
    name,
    access,
    ...(agent !== undefined && { agentId: agent }),
    createdAt: timeText(createdAt),
    ...(expiresAt !== undefined && { expiresAt: timeText(expiresAt) }),
    // an earlier use may be of a revoked key with the same name
    ...(usedAt !== undefined && usedAt >= createdAt && { lastUsedAt: timeText(usedAt) }),
  };
}

const timeText = (time: number): string => new Date(time).toISOString();
