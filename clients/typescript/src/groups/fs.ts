import type { Caller } from "../caller.ts";
import type { Fields } from "../fields.ts";
import {
  type CopyNodeRequest,
  type CopyNodeResponse,
  FilesystemService,
  type ListEntriesRequest,
  type ListTreeRequest,
  type MakeDirectoryRequest,
  type MakeDirectoryResponse,
  type MoveNodeRequest,
  type MoveNodeResponse,
  type RemoveNodeRequest,
  type RemoveNodeResponse,
  type RemoveNodesRequest,
  type RemoveNodesResponse,
  type StatNodeRequest,
  type StatNodeResponse,
  type TagNodeRequest,
  type TagNodeResponse,
} from "../gen/ctxdb/v1/filesystem_pb.ts";
import type { CallOptions } from "../options.ts";
import { allOf } from "../pages.ts";
import { jsonOf } from "../values.ts";

/**
 * An entry of a list. With output "agent", it has `abstract` instead of name, mode and times in Unix seconds.
 */
export interface Entry {
  readonly uri: string;
  readonly isDir: boolean;
  /** Size in bytes; 0 for folders. */
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly modTime: string;
  readonly name?: string;
  /** Unix file mode. */
  readonly mode?: number;
  /** Unix seconds. */
  readonly mtime?: number;
  /** Unix seconds. */
  readonly ctime?: number;
  readonly abstract?: string;
  /** Path below the listed URI; only in trees and recursive lists. */
  readonly rel_path?: string;
  /** URI of the file from which the server derived the entry, for example a section of a document. */
  readonly source?: string;
  /** Own tags of the entry; absent if there are none. */
  readonly tags?: readonly string[];
}

/** Entries, and the cursor of the next page if there is one. */
export interface Listing {
  readonly entries: Entry[];
  readonly nextCursor?: string;
}

export type List = Omit<Fields<ListEntriesRequest, "uri">, "simple">;
export type Tree = Fields<ListTreeRequest, "uri">;

/** The tree of files and folders. */
export class Fs {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns a page of a folder's entries, sorted by name. For a file, returns only this file. */
  async ls(request: List, options?: CallOptions): Promise<Listing> {
    const { entries, nextCursor } = (
      await this.#caller.read(FilesystemService.method.listEntries, request, options)
    ).message;
    return { entries: entries.map(jsonOf) as unknown as Entry[], nextCursor };
  }

  /** Yields all entries of a folder, page by page. */
  lsAll(request: List, options?: CallOptions): AsyncGenerator<Entry> {
    return allOf(
      (cursor = request.cursor) => this.ls({ ...request, cursor }, options),
      (page) => page.entries,
    );
  }

  /** Like ls, but returns only URIs. */
  async uris(request: List, options?: CallOptions): Promise<{ uris: string[]; nextCursor?: string }> {
    const input = { ...request, simple: true };
    const { entries, nextCursor } = (
      await this.#caller.read(FilesystemService.method.listEntries, input, options)
    ).message;
    return { uris: entries.map(jsonOf) as string[], nextCursor };
  }

  /** Returns a page of everything below a folder, as a flat list; each folder comes before its contents. */
  async tree(request: Tree, options?: CallOptions): Promise<Listing> {
    const { entries, nextCursor } = (
      await this.#caller.read(FilesystemService.method.listTree, request, options)
    ).message;
    return { entries: entries.map(jsonOf) as unknown as Entry[], nextCursor };
  }

  /** Yields the whole tree, page by page. */
  treeAll(request: Tree, options?: CallOptions): AsyncGenerator<Entry> {
    return allOf(
      (cursor = request.cursor) => this.tree({ ...request, cursor }, options),
      (page) => page.entries,
    );
  }

  async stat(request: Fields<StatNodeRequest, "uri">, options?: CallOptions): Promise<StatNodeResponse> {
    return (await this.#caller.read(FilesystemService.method.statNode, request, options)).message;
  }

  async mkdir(
    request: Fields<MakeDirectoryRequest, "uri">,
    options?: CallOptions,
  ): Promise<MakeDirectoryResponse> {
    return (await this.#caller.write(FilesystemService.method.makeDirectory, request, options)).message;
  }

  async mv(
    request: Fields<MoveNodeRequest, "fromUri" | "toUri">,
    options?: CallOptions,
  ): Promise<MoveNodeResponse> {
    return (await this.#caller.write(FilesystemService.method.moveNode, request, options)).message;
  }

  /**
   * Copies a file or folder, reusing contents, layers and vectors. ALREADY_EXISTS if the destination exists.
   */
  async cp(
    request: Fields<CopyNodeRequest, "fromUri" | "toUri">,
    options?: CallOptions,
  ): Promise<CopyNodeResponse> {
    return (await this.#caller.write(FilesystemService.method.copyNode, request, options)).message;
  }

  /** Adds and removes tags. The tags of a folder apply to everything below it. */
  async tag(request: Fields<TagNodeRequest, "uri">, options?: CallOptions): Promise<TagNodeResponse> {
    return (await this.#caller.write(FilesystemService.method.tagNode, request, options)).message;
  }

  /** Deletes a file or folder. FAILED_PRECONDITION for a folder that is not empty, unless recursive. */
  async rm(request: Fields<RemoveNodeRequest, "uri">, options?: CallOptions): Promise<RemoveNodeResponse> {
    return (await this.#caller.write(FilesystemService.method.removeNode, request, options)).message;
  }

  /** Deletes several files and folders in one transaction, either all or none. */
  async rmMany(
    request: Fields<RemoveNodesRequest, "uris">,
    options?: CallOptions,
  ): Promise<RemoveNodesResponse> {
    return (await this.#caller.write(FilesystemService.method.removeNodes, request, options)).message;
  }
}
