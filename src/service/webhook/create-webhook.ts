import { invalidArgument } from "../../domain/errors.ts";
import { checkMainKey } from "../../domain/permission.ts";
import type { WebhookProgress, WebhookRecord } from "../../workspace/webhooks/records.ts";
import { putProgress, putWebhook } from "../../workspace/webhooks/webhooks.ts";
import { changeFilter } from "../change-reader.ts";
import type { ServiceCall } from "../service-call.ts";
import { type WebhookDeps, type WebhookView, webhookView } from "./own-webhooks.ts";
import { checkReceiver } from "./receiver-url.ts";
import { newSecret } from "./signature.ts";

const MAX_DESCRIPTION = 256;

interface CreateWebhookInput {
  readonly url: string;
  readonly uri?: string | undefined;
  readonly kinds: readonly string[];
  readonly description: string;
}

/** POST webhooks: creates a webhook that sends the caller's changes from now on. */
export async function createWebhook(
  deps: WebhookDeps,
  call: ServiceCall,
  input: CreateWebhookInput,
): Promise<{ webhook: WebhookView; secret: string }> {
  const { caller } = call;
  checkMainKey(caller, "create webhooks");
  const tenant = await deps.tenants.openOrCreate(caller);
  const { workspace } = tenant;
  const { path, kinds } = changeFilter(tenant, input);
  checkDescription(input.description);
  const url = await checkReceiver(input.url, deps);
  call.signal.throwIfAborted();
  const id = deps.ids();
  const now = deps.clock();
  const record: WebhookRecord = {
    id,
    user: caller.user,
    ...(caller.userIncarnation !== undefined && { userIncarnation: caller.userIncarnation }),
    agent: caller.agent,
    url,
    ...(path !== undefined && { path }),
    ...(kinds && { kinds: [...kinds] }),
    description: input.description,
    secret: newSecret(),
    createdAt: now,
    updatedAt: now,
  };
  const ref = { workspace: workspace.incarnation, user: record.user, id };
  deps.webhooks.enter(ref);
  try {
    return await workspace.transact((draft) => {
      const { end } = workspace.changes;
      const progress: WebhookProgress = { ...end, whole: end.next, again: [], givenUp: 0, recent: [] };
      putWebhook(draft, workspace.incarnation, record);
      putProgress(draft, ref, progress);
      const answer = { webhook: webhookView(workspace, { record, progress }), secret: record.secret };
      call.keepAnswer?.(draft, answer);
      return () => {
        // changes may have been committed after the end of the log was read
        deps.webhooks.wake(ref, false);
        return answer;
      };
    });
  } catch (error) {
    deps.webhooks.leave(ref);
    throw error;
  }
}

export function checkDescription(description: string): void {
  if (description.length > MAX_DESCRIPTION)
    throw invalidArgument("description", `must have at most ${MAX_DESCRIPTION} characters`);
}
