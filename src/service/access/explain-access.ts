import { checkAgent, checkIdentifier } from "../../domain/caller.ts";
import { checkVisible } from "../../domain/scope.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { type GrantView, grantView } from "./grant-view.ts";

export interface AccessStepView {
  uri: string;
  source: string;
  grant?: GrantView;
  level: string;
}

export interface ExplainedAccess {
  uri: string;
  userId: string;
  agentId: string;
  level: string;
  steps: AccessStepView[];
}

/** GET access/explain: the access level of a user for a node, with the rules in order of application. */
export async function explainAccess(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: {
    readonly uri: string;
    readonly userId?: string | undefined;
    readonly agentId?: string | undefined;
  },
): Promise<ExplainedAccess> {
  const { caller } = call;
  const userId = input.userId === undefined || input.userId === "" ? caller.user : input.userId;
  checkIdentifier("user_id", userId);
  const agentId = input.agentId === undefined || input.agentId === "" ? caller.agent : input.agentId;
  checkAgent("agent_id", agentId);
  const tenant = await deps.tenants.openOrEmpty(caller);
  const { workspace, owner } = tenant;
  const path = workspace.uris.parse(input.uri);
  const uri = workspace.uris.format(path);
  checkVisible(owner, path, uri);
  if (userId !== caller.user) owner.access?.check(path, uri, "admin");
  const isCaller = userId === caller.user;
  const access =
    isCaller && agentId === caller.agent
      ? owner.access
      : deps.tenants.accessOf(workspace, userId, agentId, isCaller ? caller.role : undefined);
  const explained = access?.explain(path) ?? { level: "none", steps: [] };
  return {
    uri,
    userId,
    agentId,
    level: explained.level,
    steps: explained.steps.map(({ path: at, source, grant, level }) => ({
      uri: workspace.uris.format(at),
      source,
      ...(grant && { grant: grantView(workspace, at, grant) }),
      level,
    })),
  };
}
