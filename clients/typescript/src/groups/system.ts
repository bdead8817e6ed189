import type { Caller } from "../caller.ts";
import type { Fields } from "../fields.ts";
import {
  type GetStatusResponse,
  type GetUsageRequest,
  type GetUsageResponse,
  SystemService,
  type WaitProcessedRequest,
  type WaitProcessedResponse,
} from "../gen/ctxdb/v1/system_pb.ts";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../gen/grpc/health/v1/health_pb.ts";
import type { CallOptions } from "../options.ts";

/** The server, the caller's identity, and waiting for background work. */
export class System {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async status(options?: CallOptions): Promise<GetStatusResponse> {
    return (await this.#caller.read(SystemService.method.getStatus, {}, options)).message;
  }

  /** Returns usage and limits of each limited resource of an account; default: the caller's account. */
  async usage(request: Fields<GetUsageRequest> = {}, options?: CallOptions): Promise<GetUsageResponse> {
    return (await this.#caller.read(SystemService.method.getUsage, request, options)).message;
  }

  /** Waits until all work of the caller's account is done. After DEADLINE_EXCEEDED, the work continues. */
  async wait(
    request: Fields<WaitProcessedRequest> = {},
    options: CallOptions = {},
  ): Promise<WaitProcessedResponse> {
    const { deadlineSeconds = this.#caller.settings.longDeadlineSeconds } = options;
    return (
      await this.#caller.read(SystemService.method.waitProcessed, request, { ...options, deadlineSeconds })
    ).message;
  }

  /** Returns whether the server accepts calls. Requires no key. */
  async health(options?: CallOptions): Promise<boolean> {
    const { message } = await this.#caller.read(Health.method.check, {}, options);
    return message.status === Status.SERVING;
  }
}
