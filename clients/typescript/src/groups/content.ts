import type { Caller } from "../caller.ts";
import { type Download, downloadOf } from "../downloads.ts";
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
import type { Fields } from "../request.ts";

/** The text of a file. */
export interface Text {
  readonly content: string;
  /** For `ifMatch` of a write. */
  readonly etag: string;
}

/** The three layers of a node: content (L2), overview (L1), abstract (L0). */
export class Content {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** A file as text, whole or by lines, or one of its versions. INVALID_ARGUMENT for folders and binary content. */
  async read(request: Fields<ReadContentRequest, "uri">, options?: CallOptions): Promise<Text> {
    const { message, headers } = await this.#caller.read(ContentService.method.readContent, request, options);
    return { content: message.content, etag: (headers.get("etag") ?? "").replace(/^"|"$/g, "") };
  }

  /** The abstract (L0). FAILED_PRECONDITION while it is not made yet. */
  async abstract(request: Fields<GetAbstractRequest, "uri">, options?: CallOptions): Promise<string> {
    return (await this.#caller.read(ContentService.method.getAbstract, request, options)).message.abstract;
  }

  /** The overview (L1). FAILED_PRECONDITION while it is not made yet. */
  async overview(request: Fields<GetOverviewRequest, "uri">, options?: CallOptions): Promise<string> {
    return (await this.#caller.read(ContentService.method.getOverview, request, options)).message.overview;
  }

  /** What the search index holds of a file or folder, in the order of its text. */
  async chunks(
    request: Fields<ListChunksRequest, "uri">,
    options?: CallOptions,
  ): Promise<ListChunksResponse> {
    return (await this.#caller.read(ContentService.method.listChunks, request, options)).message;
  }

  /** The versions of a file, the newest first. */
  async history(
    request: Fields<ListVersionsRequest, "uri">,
    options?: CallOptions,
  ): Promise<ListVersionsResponse> {
    return (await this.#caller.read(ContentService.method.listVersions, request, options)).message;
  }

  /** What two versions of a text file differ in: by default the present one and the one before. */
  async diff(
    request: Fields<DiffVersionsRequest, "uri">,
    options?: CallOptions,
  ): Promise<DiffVersionsResponse> {
    return (await this.#caller.read(ContentService.method.diffVersions, request, options)).message;
  }

  /** Gives a file the content of an earlier version, as a new version. */
  async restore(
    request: Fields<RestoreVersionRequest, "uri" | "version">,
    options?: CallOptions,
  ): Promise<RestoreVersionResponse> {
    return (await this.#caller.write(ContentService.method.restoreVersion, request, options)).message;
  }

  /** Writes a text file; a write that was cut off is repeated without writing twice. */
  async write(
    request: Fields<WriteContentRequest, "uri" | "content">,
    options?: CallOptions,
  ): Promise<WriteContentResponse> {
    return (await this.#caller.write(ContentService.method.writeContent, request, options)).message;
  }

  /** Writes several text files in one step: all of them, or none. Cut off, it is repeated without writing twice. */
  async writeMany(
    request: Fields<WriteFilesRequest, "files">,
    options?: CallOptions,
  ): Promise<WriteFilesResponse> {
    return (await this.#caller.write(ContentService.method.writeFiles, request, options)).message;
  }

  /** The raw bytes of a file. */
  async download(request: Fields<DownloadContentRequest, "uri">, options?: CallOptions): Promise<Download> {
    return downloadOf(await this.#caller.stream(ContentService.method.downloadContent, request, options));
  }
}
