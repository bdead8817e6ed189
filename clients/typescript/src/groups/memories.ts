import type { Caller } from "../caller.ts";
import {
  type CreateMemoryRequest,
  type CreateMemoryResponse,
  type DeleteMemoryRequest,
  type DeleteMemoryResponse,
  type ForgetRequest,
  type ForgetResponse,
  type GetMemoryHistoryRequest,
  type GetMemoryHistoryResponse,
  type GetMemoryRequest,
  type GetMemoryResponse,
  type ListMemoriesRequest,
  type ListMemoriesResponse,
  type Memory,
  MemoryService,
  type UpdateMemoryRequest,
  type UpdateMemoryResponse,
} from "../gen/ctxdb/v1/memory_pb.ts";
import type { CallOptions } from "../options.ts";
import { allOf } from "../pages.ts";
import type { Fields } from "../request.ts";

/** The caller's memories one by one: facts and episodes. */
export class Memories {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Keeps a statement word for word; one that is known answers `created: false`. */
  async create(
    request: Fields<CreateMemoryRequest, "statement">,
    options?: CallOptions,
  ): Promise<CreateMemoryResponse> {
    return (await this.#caller.write(MemoryService.method.createMemory, request, options)).message;
  }

  /** One page: facts, then episodes. */
  async list(
    request: Fields<ListMemoriesRequest> = {},
    options?: CallOptions,
  ): Promise<ListMemoriesResponse> {
    return (await this.#caller.read(MemoryService.method.listMemories, request, options)).message;
  }

  /** All memories, page after page. */
  listAll(request: Fields<ListMemoriesRequest> = {}, options?: CallOptions): AsyncGenerator<Memory> {
    const ask = (cursor = request.cursor) => this.list({ ...request, cursor }, options);
    return allOf(ask, (page) => page.memories);
  }

  async get(
    request: Fields<GetMemoryRequest, "memoryId">,
    options?: CallOptions,
  ): Promise<GetMemoryResponse> {
    return (await this.#caller.read(MemoryService.method.getMemory, request, options)).message;
  }

  /** The id stays; the statement before goes into the history. */
  async update(
    request: Fields<UpdateMemoryRequest, "memoryId">,
    options?: CallOptions,
  ): Promise<UpdateMemoryResponse> {
    return (await this.#caller.write(MemoryService.method.updateMemory, request, options)).message;
  }

  /** What was said stays in the archive of its session. */
  async delete(
    request: Fields<DeleteMemoryRequest, "memoryId">,
    options?: CallOptions,
  ): Promise<DeleteMemoryResponse> {
    return (await this.#caller.write(MemoryService.method.deleteMemory, request, options)).message;
  }

  /**
   * Forgets for good by URI, query or subject, in memories and in what was said. The task of the answer ends when
   * the disk is clear; `dryRun` lists what would go.
   */
  async forget(request: Fields<ForgetRequest>, options?: CallOptions): Promise<ForgetResponse> {
    return (await this.#caller.write(MemoryService.method.forget, request, options)).message;
  }

  /** A fact and what it has superseded, the newest first. */
  async history(
    request: Fields<GetMemoryHistoryRequest, "memoryId">,
    options?: CallOptions,
  ): Promise<GetMemoryHistoryResponse> {
    return (await this.#caller.read(MemoryService.method.getMemoryHistory, request, options)).message;
  }
}
