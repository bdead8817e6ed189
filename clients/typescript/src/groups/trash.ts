import type { Caller } from "../caller.ts";
import {
  type DeleteTrashRequest,
  type DeleteTrashResponse,
  type EmptyTrashRequest,
  type EmptyTrashResponse,
  type ListTrashRequest,
  type ListTrashResponse,
  type RestoreTrashRequest,
  type RestoreTrashResponse,
  TrashService,
} from "../gen/ctxdb/v1/trash_pb.ts";
import type { CallOptions } from "../options.ts";
import type { Fields } from "../request.ts";

/** What was deleted or replaced, until it expires. */
export class Trash {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** A page, the newest item first. */
  async list(request: Fields<ListTrashRequest> = {}, options?: CallOptions): Promise<ListTrashResponse> {
    return (await this.#caller.read(TrashService.method.listTrash, request, options)).message;
  }

  /** To where it was, or to `toUri`; under a free name if its place is taken. */
  async restore(
    request: Fields<RestoreTrashRequest, "trashId">,
    options?: CallOptions,
  ): Promise<RestoreTrashResponse> {
    return (await this.#caller.write(TrashService.method.restoreTrash, request, options)).message;
  }

  /** For good. */
  async delete(
    request: Fields<DeleteTrashRequest, "trashId">,
    options?: CallOptions,
  ): Promise<DeleteTrashResponse> {
    return (await this.#caller.write(TrashService.method.deleteTrash, request, options)).message;
  }

  /** What was removed from the caller's own spaces, and by the caller from shared places. */
  async empty(request: Fields<EmptyTrashRequest> = {}, options?: CallOptions): Promise<EmptyTrashResponse> {
    return (await this.#caller.write(TrashService.method.emptyTrash, request, options)).message;
  }
}
