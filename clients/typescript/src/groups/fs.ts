import type { Caller } from "../caller.ts";
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
import type { Fields } from "../request.ts";
import { jsonOf } from "../values.ts";

/** A node in a list. With output "agent" it has `abstract` instead of name, mode and times in seconds. */
export interface Entry {
  readonly uri: string;
  readonly isDir: boolean;
  /** Bytes; 0 for folders. */
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly modTime: string;
  readonly name?: string;
  /** Unix mode. */
  readonly mode?: number;
  /** Unix seconds. */
  readonly mtime?: number;
  /** Unix seconds. */
  readonly ctime?: number;
  readonly abstract?: string;
  /** Path below the URI that was listed; in trees and recursive lists. */
  readonly rel_path?: string;
  /** URI of the file from which the server derived it, for example a section of a document. */
  readonly source?: string;
  /** Its own tags, if it has any. */
  readonly tags?: readonly string[];
}

/** Entries, and where the list goes on if it was cut. */
export interface Listing {
  readonly entries: Entry[];
  readonly nextCursor?: string;
}

export type List = Omit<Fields<ListEntriesRequest, "uri">, "simple">;
export type Tree = Fields<ListTreeRequest, "uri">;

/** The tree of nodes. */
export class Fs {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** One page of a folder, by name; a file gives itself alone. */
  async ls(request: List, options?: CallOptions): Promise<Listing> {
    const { entries, nextCursor } = (
      await this.#caller.read(FilesystemService.method.listEntries, request, options)
    ).message;
    return { entries: entries.map(jsonOf) as unknown as Entry[], nextCursor };
  }

  /** Everything in a folder, page after page. */
  lsAll(request: List, options?: CallOptions): AsyncGenerator<Entry> {
    return allOf(
      (cursor = request.cursor) => this.ls({ ...request, cursor }, options),
      (page) => page.entries,
    );
  }

  /** As ls, but URIs alone. */
  async uris(request: List, options?: CallOptions): Promise<{ uris: string[]; nextCursor?: string }> {
    const input = { ...request, simple: true };
    const { entries, nextCursor } = (
      await this.#caller.read(FilesystemService.method.listEntries, input, options)
    ).message;
    return { uris: entries.map(jsonOf) as string[], nextCursor };
  }

  /** One page of a folder and what is below, flat, each folder before what it holds. */
  async tree(request: Tree, options?: CallOptions): Promise<Listing> {
    const { entries, nextCursor } = (
      await this.#caller.read(FilesystemService.method.listTree, request, options)
    ).message;
    return { entries: entries.map(jsonOf) as unknown as Entry[], nextCursor };
  }

  /** The whole tree, page after page. */
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

  /** Contents, layers and vectors are reused. ALREADY_EXISTS for a destination that exists. */
  async cp(
    request: Fields<CopyNodeRequest, "fromUri" | "toUri">,
    options?: CallOptions,
  ): Promise<CopyNodeResponse> {
    return (await this.#caller.write(FilesystemService.method.copyNode, request, options)).message;
  }

  /** Adds and removes tags; a tag of a folder holds for everything below it. */
  async tag(request: Fields<TagNodeRequest, "uri">, options?: CallOptions): Promise<TagNodeResponse> {
    return (await this.#caller.write(FilesystemService.method.tagNode, request, options)).message;
  }

  /** FAILED_PRECONDITION for a folder that is not empty, unless recursive. */
  async rm(request: Fields<RemoveNodeRequest, "uri">, options?: CallOptions): Promise<RemoveNodeResponse> {
    return (await this.#caller.write(FilesystemService.method.removeNode, request, options)).message;
  }

  /** Deletes several files and folders in one step: all of them, or none. */
  async rmMany(
    request: Fields<RemoveNodesRequest, "uris">,
    options?: CallOptions,
  ): Promise<RemoveNodesResponse> {
    return (await this.#caller.write(FilesystemService.method.removeNodes, request, options)).message;
  }
}
