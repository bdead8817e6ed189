import { WEBHOOK_PROGRESS, WEBHOOKS } from "../webhooks/records.ts";
import type { Audit } from "./findings.ts";

/**
 * Verifies that each webhook is stored under its user, and that its progress is a position in the log of
 * changes.
 */
export async function verifyWebhooks(audit: Audit): Promise<void> {
  const { keys, kv, changes } = audit.workspace;
  for await (const [key, value] of audit.records(keys.allWebhooks())) {
    if (!keys.isWebhook(key)) {
      if (kv.get(keys.webhookOfProgress(key)) === undefined)
        audit.report("webhook", `record ${key}`, "it is the progress of a webhook that does not exist");
      continue;
    }
    const { id, user } = WEBHOOKS.decode(value, key);
    const subject = `webhook ${id}`;
    if (key !== keys.webhook(user, id)) audit.report("webhook", subject, `it is stored as ${key}`);
    const progress = WEBHOOK_PROGRESS.read(kv, keys.webhookProgress(user, id));
    if (!progress) audit.report("webhook", subject, "it has no progress");
    else if (progress.next > changes.end.next)
      audit.report(
        "webhook",
        subject,
        `it has sent changes up to ${progress.next}, which are not in the log`,
      );
  }
}
