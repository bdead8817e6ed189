import type { Caller } from "../caller.ts";
import {
  type FindRequest,
  type FindResponse,
  type GlobRequest,
  type GlobResponse,
  type GrepMatch,
  type GrepRequest,
  type GrepResponse,
  type RecallRequest,
  type RecallResponse,
  type SearchRequest,
  type SearchResponse,
  SearchService,
} from "../gen/ctxdb/v1/search_pb.ts";
import type { CallOptions } from "../options.ts";
import { allOf } from "../pages.ts";
import type { Fields } from "../request.ts";
import { toValue } from "../values.ts";

/** Where to search: one URI or several, files or folders with all below. */
type Targeted<T> = Omit<T, "targetUri"> & { readonly targetUri?: string | string[] };
export type Question = Targeted<Fields<FindRequest, "query">>;
export type SessionQuestion = Targeted<Fields<SearchRequest, "query">>;
/** A query, a session, or both. */
export type Recall = Targeted<Fields<RecallRequest, never>>;
export type Grep = Fields<GrepRequest, "uri" | "pattern">;
export type Glob = Fields<GlobRequest, "pattern">;

/** Searching by meaning and words, by pattern and by name, in what the caller may see. */
export class Search {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** By meaning and words. A target that does not exist gives empty lists. */
  async find({ targetUri, ...request }: Question, options?: CallOptions): Promise<FindResponse> {
    const input = { ...request, targetUri: toValue(targetUri) };
    return (await this.#caller.read(SearchService.method.find, input, options)).message;
  }

  /** With the intent and, where a session is named, with its history. NOT_FOUND for an unknown session. */
  async search({ targetUri, ...request }: SessionQuestion, options?: CallOptions): Promise<SearchResponse> {
    const input = { ...request, targetUri: toValue(targetUri) };
    return (await this.#caller.read(SearchService.method.search, input, options)).message;
  }

  /**
   * What a model should know before it answers, as a text to paste. With a session the text goes on from turn to turn: the same turn
   * gets the same bytes, a further one adds at the end (`added`). NOT_FOUND for an unknown session.
   */
  async recall({ targetUri, ...request }: Recall, options?: CallOptions): Promise<RecallResponse> {
    const input = { ...request, targetUri: toValue(targetUri) };
    return (await this.#caller.read(SearchService.method.recall, input, options)).message;
  }

  /** One page of the lines that match a regular expression (RE2). */
  async grep(request: Grep, options?: CallOptions): Promise<GrepResponse> {
    return (await this.#caller.read(SearchService.method.grep, request, options)).message;
  }

  /** All matching lines, page after page. */
  grepAll(request: Grep, options?: CallOptions): AsyncGenerator<GrepMatch> {
    const ask = (cursor = request.cursor) => this.grep({ ...request, cursor }, options);
    return allOf(ask, (page) => page.matches);
  }

  /** One page of the URIs whose path below `uri` matches. */
  async glob(request: Glob, options?: CallOptions): Promise<GlobResponse> {
    return (await this.#caller.read(SearchService.method.glob, request, options)).message;
  }

  /** All matching URIs, page after page. */
  globAll(request: Glob, options?: CallOptions): AsyncGenerator<string> {
    const ask = (cursor = request.cursor) => this.glob({ ...request, cursor }, options);
    return allOf(ask, (page) => page.matches);
  }
}
