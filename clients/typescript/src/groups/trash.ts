import type { Caller } from "../caller.ts";
import type { Fields } from "../fields.ts";
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

/** Deleted and replaced files and folders, until they expire. */
export class Trash {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns a page of items, newest first. */
  async list(request: Fields<ListTrashRequest> = {}, options?: CallOptions): Promise<ListTrashResponse> {
    return (await this.#caller.read(TrashService.method.listTrash, request, options)).message;
  }

  /** Restores an item to its original URI or to `toUri`; under a free name if its original URI is taken. */
  async restore(
    request: Fields<RestoreTrashRequest, "trashId">,
    options?: CallOptions,
  ): Promise<RestoreTrashResponse> {
    return (await this.#caller.write(TrashService.method.restoreTrash, request, options)).message;
  }

  /** Deletes an item for good. */
  async delete(
    request: Fields<DeleteTrashRequest, "trashId">,
    options?: CallOptions,
  ): Promise<DeleteTrashResponse> {
    return (await this.#caller.write(TrashService.method.deleteTrash, request, options)).message;
  }

  /**
   * Deletes for good all items from the caller's own spaces, and those that the caller removed from shared
   * folders.
   */
  async empty(request: Fields<EmptyTrashRequest> = {}, options?: CallOptions): Promise<EmptyTrashResponse> {
    return (await this.#caller.write(TrashService.method.emptyTrash, request, options)).message;
  }
}
