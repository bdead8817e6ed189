import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Caller } from "../caller.ts";
import {
  type ComponentStatus,
  type GetSystemResponse,
  type ListMetricsRequestSchema,
  type ListMetricsResponse,
  ObserverService,
} from "../gen/ctxdb/v1/observer_pb.ts";
import type { CallOptions } from "../options.ts";

/** The state of the parts, for people. */
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

  /** Tokens that models have used. */
  async vlm(options?: CallOptions): Promise<ComponentStatus> {
    return (await this.#caller.read(ObserverService.method.getVlm, {}, options)).message;
  }

  /** All three. */
  async system(options?: CallOptions): Promise<GetSystemResponse> {
    return (await this.#caller.read(ObserverService.method.getSystem, {}, options)).message;
  }

  /** Measurements over time; ROOT alone. */
  async metrics(
    request: MessageInitShape<typeof ListMetricsRequestSchema> = {},
    options?: CallOptions,
  ): Promise<ListMetricsResponse> {
    return (await this.#caller.read(ObserverService.method.listMetrics, request, options)).message;
  }

  /** Whether all parts are well. */
  async health(options?: CallOptions): Promise<boolean> {
    return (await this.#caller.read(ObserverService.method.getHealth, {}, options)).message.healthy;
  }
}
