import { GRANTEE_KINDS, type Grantee } from "../../domain/access.ts";
import { checkAgent } from "../../domain/caller.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import { checkVisible } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { Grant } from "../../workspace/access/records.ts";
import { SHARED_AGENTS } from "../../workspace/tree/locate.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Tenant } from "../tenants.ts";

export interface GrantView {
  uri: string;
  granteeType: Grantee["kind"];
  granteeId: string;
  level: string;
  effect: string;
  createdAt: string;
}

/** Request fields that identify a grantee. */
export interface GranteeInput {
  readonly granteeType: string;
  readonly granteeId: string;
}

export function grantView(
  { uris }: Workspace,
  path: Path,
  { to, level, effect, createdAt }: Grant,
): GrantView {
  return {
    uri: uris.format(path),
    granteeType: to.kind,
    granteeId: to.kind === "everyone" ? "" : to.name,
    level,
    effect,
    createdAt: new Date(createdAt).toISOString(),
  };
}

/**
 * The kind of grantee in a request. Throws INVALID_ARGUMENT for an unknown kind or an id that does not fit
 * the kind.
 */
export function checkGrantee({ granteeType, granteeId }: GranteeInput): Grantee["kind"] {
  const kind = GRANTEE_KINDS.find((known) => known === granteeType);
  if (!kind) throw invalidArgument("grantee_type", `must be one of ${GRANTEE_KINDS.join(", ")}`);
  if (kind === "everyone" && granteeId !== "")
    throw invalidArgument("grantee_id", 'must be empty if grantee_type is "everyone"');
  if (kind !== "everyone" && granteeId === "")
    throw invalidArgument("grantee_id", 'is required unless grantee_type is "everyone"');
  if (kind === "agent") checkAgent("grantee_id", granteeId);
  return kind;
}

/**
 * A visible path that can be shared: it must lead to the same node for every user. Throws INVALID_ARGUMENT
 * for any other path.
 */
export function grantPath({ workspace: { uris }, owner }: Tenant, text: string): { path: Path; uri: string } {
  const path = uris.parse(text);
  const uri = uris.format(path);
  checkVisible(owner, path, uri);
  const [scope, name] = path;
  const isShared = scope === "resources" || (scope === "agent" && name === "skills");
  const isAgents = scope === "agent" && name !== undefined && owner.agentsOf === SHARED_AGENTS;
  const isSpace = scope === "user" && name !== undefined;
  if (isShared || isAgents || isSpace) return { path, uri };
  throw invalidArgument(
    "uri",
    `${uri} cannot be shared: only ${uris.format(["resources"])}, ${uris.format(["agent", "skills"])} and spaces of users can`,
  );
}

export function tooMany(subject: string, what: string, limit: number): ServiceError {
  const reason = `it has ${limit} ${what}, the maximum: first remove some`;
  return new ServiceError("RESOURCE_EXHAUSTED", `${subject}: ${reason}`, {
    resource: subject,
    reason,
    unit: what,
    used: limit,
    more: 1,
    limit,
  });
}
