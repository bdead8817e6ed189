import type { Caller } from "../caller.ts";
import type { Fields } from "../fields.ts";
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
import { toValue } from "../values.ts";

/** Where to search: one or several URIs of files, or of folders with everything below. */
type Targeted<T> = Omit<T, "targetUri"> & { readonly targetUri?: string | string[] };
export type Question = Targeted<Fields<FindRequest, "query">>;
export type SessionQuestion = Targeted<Fields<SearchRequest, "query">>;
/** A query, a session, or both. */
export type Recall = Targeted<Fields<RecallRequest, never>>;
export type Grep = Fields<GrepRequest, "uri" | "pattern">;
export type Glob = Fields<GlobRequest, "pattern">;

/** Search by meaning and words, by regular expression, and by name, in everything that the caller may see. */
export class Search {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Searches by meaning and words. The lists are empty if the target does not exist. */
  async find({ targetUri, ...request }: Question, options?: CallOptions): Promise<FindResponse> {
    const input = { ...request, targetUri: toValue(targetUri) };
    return (await this.#caller.read(SearchService.method.find, input, options)).message;
  }

  /**
   * Like find, but first turns the question into several queries, using the history of a session if one is
   * named. NOT_FOUND for an unknown session.
   */
  async search({ targetUri, ...request }: SessionQuestion, options?: CallOptions): Promise<SearchResponse> {
    const input = { ...request, targetUri: toValue(targetUri) };
    return (await this.#caller.read(SearchService.method.search, input, options)).message;
  }

  /**
   * Returns context for a model as text to paste into its prompt. With a session, the text grows from turn to
   * turn: the same turn gets the same bytes, a new turn appends (`added`). NOT_FOUND for an unknown session.
   */
  async recall({ targetUri, ...request }: Recall, options?: CallOptions): Promise<RecallResponse> {
    const input = { ...request, targetUri: toValue(targetUri) };
    return (await this.#caller.read(SearchService.method.recall, input, options)).message;
  }

  /** Returns a page of lines that match a regular expression (RE2 syntax). */
  async grep(request: Grep, options?: CallOptions): Promise<GrepResponse> {
    return (await this.#caller.read(SearchService.method.grep, request, options)).message;
  }

  /** Yields all matching lines, page by page. */
  grepAll(request: Grep, options?: CallOptions): AsyncGenerator<GrepMatch> {
    const ask = (cursor = request.cursor) => this.grep({ ...request, cursor }, options);
    return allOf(ask, (page) => page.matches);
  }

  /** Returns a page of URIs whose path below `uri` matches the pattern. */
  async glob(request: Glob, options?: CallOptions): Promise<GlobResponse> {
    return (await this.#caller.read(SearchService.method.glob, request, options)).message;
  }

  /** Yields all matching URIs, page by page. */
  globAll(request: Glob, options?: CallOptions): AsyncGenerator<string> {
    const ask = (cursor = request.cursor) => this.glob({ ...request, cursor }, options);
    return allOf(ask, (page) => page.matches);
  }
}
