import type { Caller } from "../caller.ts";
import { type Download, downloadOf } from "../downloads.ts";
import type { Fields } from "../fields.ts";
import {
  ContentService,
  type DiffVersionsRequest,
  type DiffVersionsResponse,
  type DownloadContentRequest,
  type GetAbstractRequest,
  type GetOverviewRequest,
  type ListChunksRequest,
  type ListChunksResponse,
  type ListVersionsRequest,
  type ListVersionsResponse,
  type ReadContentRequest,
  type RestoreVersionRequest,
  type RestoreVersionResponse,
  type WriteContentRequest,
  type WriteContentResponse,
  type WriteFilesRequest,
  type WriteFilesResponse,
} from "../gen/ctxdb/v1/content_pb.ts";
import type { CallOptions } from "../options.ts";

/** Text of a file. */
export interface Text {
  readonly content: string;
  /** Value for `ifMatch` of a write. */
  readonly etag: string;
}

/** The three layers of a node: content (L2), overview (L1), abstract (L0). */
export class Content {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Returns a file, or one of its versions, as text: whole or a range of lines. INVALID_ARGUMENT for folders
   * and binary content.
   */
  async read(request: Fields<ReadContentRequest, "uri">, options?: CallOptions): Promise<Text> {
    const { message, headers } = await this.#caller.read(ContentService.method.readContent, request, options);
    return { content: message.content, etag: (headers.get("etag") ?? "").replace(/^"|"$/g, "") };
  }

  /** Returns the abstract (L0). FAILED_PRECONDITION while it is not ready yet. */
  async abstract(request: Fields<GetAbstractRequest, "uri">, options?: CallOptions): Promise<string> {
    return (await this.#caller.read(ContentService.method.getAbstract, request, options)).message.abstract;
  }

  /** Returns the overview (L1). FAILED_PRECONDITION while it is not ready yet. */
  async overview(request: Fields<GetOverviewRequest, "uri">, options?: CallOptions): Promise<string> {
    return (await this.#caller.read(ContentService.method.getOverview, request, options)).message.overview;
  }

  /** Returns the chunks of a file or folder in the search index, in text order. */
  async chunks(
    request: Fields<ListChunksRequest, "uri">,
    options?: CallOptions,
  ): Promise<ListChunksResponse> {
    return (await this.#caller.read(ContentService.method.listChunks, request, options)).message;
  }

  /** Returns the versions of a file, newest first. */
  async history(
    request: Fields<ListVersionsRequest, "uri">,
    options?: CallOptions,
  ): Promise<ListVersionsResponse> {
    return (await this.#caller.read(ContentService.method.listVersions, request, options)).message;
  }

  /** Compares two versions of a text file; by default the current version and the one before. */
  async diff(
    request: Fields<DiffVersionsRequest, "uri">,
    options?: CallOptions,
  ): Promise<DiffVersionsResponse> {
    return (await this.#caller.read(ContentService.method.diffVersions, request, options)).message;
  }

  /** Restores the content of an earlier version of a file, as a new version. */
  async restore(
    request: Fields<RestoreVersionRequest, "uri" | "version">,
    options?: CallOptions,
  ): Promise<RestoreVersionResponse> {
    return (await this.#caller.write(ContentService.method.restoreVersion, request, options)).message;
  }

  /** Writes a text file. An interrupted write is retried without writing twice. */
  async write(
    request: Fields<WriteContentRequest, "uri" | "content">,
    options?: CallOptions,
  ): Promise<WriteContentResponse> {
    return (await this.#caller.write(ContentService.method.writeContent, request, options)).message;
  }

  /**
   * Writes several text files in one transaction, either all or none. An interrupted write is retried without
   * writing twice.
   */
  async writeMany(
    request: Fields<WriteFilesRequest, "files">,
    options?: CallOptions,
  ): Promise<WriteFilesResponse> {
    return (await this.#caller.write(ContentService.method.writeFiles, request, options)).message;
  }

  /** Streams the bytes of a file. */
  async download(request: Fields<DownloadContentRequest, "uri">, options?: CallOptions): Promise<Download> {
    return downloadOf(await this.#caller.stream(ContentService.method.downloadContent, request, options));
  }
}
