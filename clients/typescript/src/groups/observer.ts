import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Caller } from "../caller.ts";
import {
  type ComponentStatus,
  type DrainMemberResponse,
  type GetSystemResponse,
  type ListAuditRequestSchema,
  type ListAuditResponse,
  type ListDeadLettersRequestSchema,
  type ListDeadLettersResponse,
  type ListMembersResponse,
  type ListMetricsRequestSchema,
  type ListMetricsResponse,
  type MoveAccountResponse,
  ObserverService,
  type RetryDeadLetterResponse,
} from "../gen/ctxdb/v1/observer_pb.ts";
import type { CallOptions } from "../options.ts";

/** State of the server's components. */
export class Observer {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async queue(options?: CallOptions): Promise<ComponentStatus> {
    return (await this.#caller.read(ObserverService.method.getQueue, {}, options)).message;
  }

  async vectordb(options?: CallOptions): Promise<ComponentStatus> {
    return (await this.#caller.read(ObserverService.method.getVectordb, {}, options)).message;
  }

  /** Returns the tokens used by models. */
  async vlm(options?: CallOptions): Promise<ComponentStatus> {
    return (await this.#caller.read(ObserverService.method.getVlm, {}, options)).message;
  }

  /** Returns the state of the queues, the vector index and the models, and the problems found. */
  async system(options?: CallOptions): Promise<GetSystemResponse> {
    return (await this.#caller.read(ObserverService.method.getSystem, {}, options)).message;
  }

  /** Returns measurements over time. Requires ROOT. */
  async metrics(
    request: MessageInitShape<typeof ListMetricsRequestSchema> = {},
    options?: CallOptions,
  ): Promise<ListMetricsResponse> {
    return (await this.#caller.read(ObserverService.method.listMetrics, request, options)).message;
  }

  /** Returns the servers that share the store, with their accounts. Requires ROOT. */
  async members(options?: CallOptions): Promise<ListMembersResponse> {
    return (await this.#caller.read(ObserverService.method.listMembers, {}, options)).message;
  }

  /** Makes a server hand over all its accounts; `cancel` stops this. Requires ROOT. */
  async drainMember(
    request: { readonly number: number; readonly cancel?: boolean },
    options?: CallOptions,
  ): Promise<DrainMemberResponse> {
    return (await this.#caller.write(ObserverService.method.drainMember, request, options)).message;
  }

  /** Hands an account over to a server. Requires ROOT. */
  async moveAccount(
    request: { readonly accountId: string; readonly number: number },
    options?: CallOptions,
  ): Promise<MoveAccountResponse> {
    return (await this.#caller.write(ObserverService.method.moveAccount, request, options)).message;
  }

  /** Returns jobs that were given up, newest first. Requires ADMIN or ROOT. */
  async deadLetters(
    request: MessageInitShape<typeof ListDeadLettersRequestSchema> = {},
    options?: CallOptions,
  ): Promise<ListDeadLettersResponse> {
    return (await this.#caller.read(ObserverService.method.listDeadLetters, request, options)).message;
  }

  /** Queues the job of a dead letter again. Requires ADMIN or ROOT. */
  async retryDeadLetter(
    request: { readonly id: string },
    options?: CallOptions,
  ): Promise<RetryDeadLetterResponse> {
    return (await this.#caller.write(ObserverService.method.retryDeadLetter, request, options)).message;
  }

  /** Returns administrative and refused calls, newest first. Requires ADMIN or ROOT. */
  async audit(
    request: MessageInitShape<typeof ListAuditRequestSchema> = {},
    options?: CallOptions,
  ): Promise<ListAuditResponse> {
    return (await this.#caller.read(ObserverService.method.listAudit, request, options)).message;
  }

  /** Returns whether all components work. */
  async health(options?: CallOptions): Promise<boolean> {
    return (await this.#caller.read(ObserverService.method.getHealth, {}, options)).message.healthy;
  }
}
