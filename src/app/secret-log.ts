import type { Registry } from "../accounts/registry.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import type { SecretMode } from "../domain/secrets/policy.ts";
import type { AuditLog } from "../transport/pipeline/audit-log.ts";
import type { FoundSecrets } from "../workspace/found-secrets.ts";
import type { BackgroundWork, SecretPolicy } from "../workspace/secret-guard.ts";

/** Counts found secrets, and audits those found by background work. */
export class SecretLog implements SecretPolicy {
  readonly mode: SecretMode;
  /** Secrets found since the start, by kind. */
  readonly counts = new Map<string, number>();
  /** Audit log for background work; set once it is open. */
  audit: { readonly log: AuditLog; readonly accountOf: Registry["accountOf"] } | undefined;

  constructor(mode: SecretMode) {
    this.mode = mode;
  }

  readonly onFound = ({ kinds }: FoundSecrets): void => {
    for (const [kind, count] of kinds) this.counts.set(kind, (this.counts.get(kind) ?? 0) + count);
  };

  readonly onUnreported = (
    { summary, mode }: FoundSecrets,
    workspace: WorkspaceId,
    { operation, requestId, user }: BackgroundWork,
  ): void => {
    const account = this.audit?.accountOf(workspace)?.account;
    const code = mode === "refuse" ? "INVALID_ARGUMENT" : "OK";
    const caller = { account, user, role: undefined };
    this.audit?.log.write(
      {
        operation,
        wire: "internal",
        code,
        request_id: requestId,
        peer: undefined,
        ...caller,
        subject: summary,
      },
      workspace,
    );
  };
}
