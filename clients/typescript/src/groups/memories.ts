import type { Caller } from "../caller.ts";
import type { Fields } from "../fields.ts";
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

/** Single memories of the caller: facts and episodes. */
export class Memories {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Stores a statement word for word. If it is already known, returns it with `created: false`. */
  async create(
    request: Fields<CreateMemoryRequest, "statement">,
    options?: CallOptions,
  ): Promise<CreateMemoryResponse> {
    return (await this.#caller.write(MemoryService.method.createMemory, request, options)).message;
  }

  /** Returns a page of memories: facts, then episodes. */
  async list(
    request: Fields<ListMemoriesRequest> = {},
    options?: CallOptions,
  ): Promise<ListMemoriesResponse> {
    return (await this.#caller.read(MemoryService.method.listMemories, request, options)).message;
  }

  /** Yields all memories, page by page. */
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

  /** Changes a memory. The id stays the same; the previous statement moves to the history. */
  async update(
    request: Fields<UpdateMemoryRequest, "memoryId">,
    options?: CallOptions,
  ): Promise<UpdateMemoryResponse> {
    return (await this.#caller.write(MemoryService.method.updateMemory, request, options)).message;
  }

  /** Deletes a memory. The messages it comes from stay in the archive of their session. */
  async delete(
    request: Fields<DeleteMemoryRequest, "memoryId">,
    options?: CallOptions,
  ): Promise<DeleteMemoryResponse> {
    return (await this.#caller.write(MemoryService.method.deleteMemory, request, options)).message;
  }

  /**
   * Removes memories for good by URI, query or subject, with the sentences they come from. The task in the
   * response ends when the disk is erased. With `dryRun`, only lists them.
   */
  async forget(request: Fields<ForgetRequest>, options?: CallOptions): Promise<ForgetResponse> {
    return (await this.#caller.write(MemoryService.method.forget, request, options)).message;
  }

  /** Returns a fact and the facts it superseded, newest first. */
  async history(
    request: Fields<GetMemoryHistoryRequest, "memoryId">,
    options?: CallOptions,
  ): Promise<GetMemoryHistoryResponse> {
    return (await this.#caller.read(MemoryService.method.getMemoryHistory, request, options)).message;
  }
}
