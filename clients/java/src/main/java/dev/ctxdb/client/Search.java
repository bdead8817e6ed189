package dev.ctxdb.client;

import dev.ctxdb.v1.FindRequest;
import dev.ctxdb.v1.FindResponse;
import dev.ctxdb.v1.GlobRequest;
import dev.ctxdb.v1.GlobResponse;
import dev.ctxdb.v1.GrepMatch;
import dev.ctxdb.v1.GrepRequest;
import dev.ctxdb.v1.GrepResponse;
import dev.ctxdb.v1.RecallRequest;
import dev.ctxdb.v1.RecallResponse;
import dev.ctxdb.v1.SearchRequest;
import dev.ctxdb.v1.SearchResponse;
import dev.ctxdb.v1.SearchServiceGrpc;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Search by meaning (find, search), by regular expression (grep) and by name (glob), in everything
 * that the caller may see.
 */
public final class Search {
  private final Caller caller;

  Search(Caller caller) {
    this.caller = caller;
  }

  /** Searches by meaning and words. */
  public FindResponse find(FindRequest request) {
    return caller.read(SearchServiceGrpc.getFindMethod(), request);
  }

  /** Searches by meaning and words. */
  public FindResponse find(String query) {
    return find(FindRequest.newBuilder().setQuery(query).build());
  }

  /**
   * Like find, but first turns the question into several queries, using the history of a session if
   * one is named.
   */
  public SearchResponse search(SearchRequest request) {
    return caller.read(SearchServiceGrpc.getSearchMethod(), request);
  }

  /**
   * Like find, but first turns the question into several queries, using the history of a session if
   * one is named.
   */
  public SearchResponse search(String query) {
    return search(SearchRequest.newBuilder().setQuery(query).build());
  }

  /**
   * Returns context for a model as text to paste into its prompt. With a session, the text grows
   * from turn to turn: the same turn gets the same bytes, a new turn appends.
   */
  public RecallResponse recall(RecallRequest request) {
    return caller.read(SearchServiceGrpc.getRecallMethod(), request);
  }

  /** Returns context for a model as text to paste into its prompt. */
  public RecallResponse recall(String query) {
    return recall(RecallRequest.newBuilder().setQuery(query).build());
  }

  /** Returns a page of lines that match a regular expression (RE2 syntax). */
  public GrepResponse grep(GrepRequest request) {
    return caller.read(SearchServiceGrpc.getGrepMethod(), request);
  }

  /** Returns a page of URIs whose path matches the pattern. */
  public GlobResponse glob(GlobRequest request) {
    return caller.read(SearchServiceGrpc.getGlobMethod(), request);
  }

  /** Returns a page of URIs whose path matches the pattern. */
  public GlobResponse glob(String pattern) {
    return glob(GlobRequest.newBuilder().setPattern(pattern).build());
  }

  /** Yields all matching lines, page by page. */
  public Stream<GrepMatch> grepAll(GrepRequest request) {
    return Pages.all(grep(request), GrepResponse::getMatchesList, page -> page.hasNextCursor() ? Optional.of(page.getNextCursor()) : Optional.empty(),
        cursor -> grep(request.toBuilder().setCursor(cursor).build()));
  }

  /** Yields all matching URIs, page by page. */
  public Stream<String> globAll(GlobRequest request) {
    return Pages.all(glob(request), GlobResponse::getMatchesList, page -> page.hasNextCursor() ? Optional.of(page.getNextCursor()) : Optional.empty(),
        cursor -> glob(request.toBuilder().setCursor(cursor).build()));
  }
}
