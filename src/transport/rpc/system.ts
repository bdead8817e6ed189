import { SystemService } from "../../../gen/ctxdb/v1/system_pb.ts";
import { type Operation, unary } from "../operation.ts";

export interface SystemDeps {
  readonly version: string;
  /** Seconds since the start. */
  readonly uptime: () => number;
}

export function systemOperations({ version, uptime }: SystemDeps): Operation[] {
  return [
    unary(SystemService.method.getStatus, ({ caller: { user, account, role } }) => ({
      initialized: true,
      version,
      user,
      account,
      role,
      uptime: uptime(),
    })),
  ];
}
