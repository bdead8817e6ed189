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

/** By meaning (find, search), by pattern (grep) and by name (glob), in what the caller may see. */
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

  /** Searches with the intent and, where a session is named, with its history. */
  public SearchResponse search(SearchRequest request) {
    return caller.read(SearchServiceGrpc.getSearchMethod(), request);
  }

  /** Searches with the intent and, where a session is named, with its history. */
  public SearchResponse search(String query) {
    return search(SearchRequest.newBuilder().setQuery(query).build());
  }

  /**
   * What a model should know before it answers, as a text to paste. With a session the text goes on from turn to turn: the same turn
   * gets the same bytes, a further one adds at the end.
   */
  public RecallResponse recall(RecallRequest request) {
    return caller.read(SearchServiceGrpc.getRecallMethod(), request);
  }

  /** What a model should know before it answers, as a text to paste. */
  public RecallResponse recall(String query) {
    return recall(RecallRequest.newBuilder().setQuery(query).build());
  }

  /** One page of the lines that match a regular expression (RE2). */
  public GrepResponse grep(GrepRequest request) {
    return caller.read(SearchServiceGrpc.getGrepMethod(), request);
  }

  /** One page of the URIs whose path matches. */
  public GlobResponse glob(GlobRequest request) {
    return caller.read(SearchServiceGrpc.getGlobMethod(), request);
  }

  /** One page of the URIs whose path matches. */
  public GlobResponse glob(String pattern) {
    return glob(GlobRequest.newBuilder().setPattern(pattern).build());
  }

  /** All lines that match, page after page. */
  public Stream<GrepMatch> grepAll(GrepRequest request) {
    return Pages.all(grep(request), GrepResponse::getMatchesList, page -> page.hasNextCursor() ? Optional.of(page.getNextCursor()) : Optional.empty(),
        cursor -> grep(request.toBuilder().setCursor(cursor).build()));
  }

  /** All URIs that match, page after page. */
  public Stream<String> globAll(GlobRequest request) {
    return Pages.all(glob(request), GlobResponse::getMatchesList, page -> page.hasNextCursor() ? Optional.of(page.getNextCursor()) : Optional.empty(),
        cursor -> glob(request.toBuilder().setCursor(cursor).build()));
  }
}
