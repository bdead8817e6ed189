package dev.ctxdb.client;

import dev.ctxdb.v1.AddMessageRequest;
import dev.ctxdb.v1.AddMessageResponse;
import dev.ctxdb.v1.AddMessagesRequest;
import dev.ctxdb.v1.AddMessagesResponse;
import dev.ctxdb.v1.CommitSessionRequest;
import dev.ctxdb.v1.CommitSessionResponse;
import dev.ctxdb.v1.CreateSessionRequest;
import dev.ctxdb.v1.CreateSessionResponse;
import dev.ctxdb.v1.DeleteSessionRequest;
import dev.ctxdb.v1.DeleteSessionResponse;
import dev.ctxdb.v1.GetSessionContextRequest;
import dev.ctxdb.v1.GetSessionContextResponse;
import dev.ctxdb.v1.GetSessionRequest;
import dev.ctxdb.v1.GetSessionResponse;
import dev.ctxdb.v1.ListSessionsRequest;
import dev.ctxdb.v1.ListSessionsResponse;
import dev.ctxdb.v1.RecordUsageRequest;
import dev.ctxdb.v1.RecordUsageResponse;
import dev.ctxdb.v1.SessionServiceGrpc;
import dev.ctxdb.v1.SessionSummary;
import java.util.Optional;
import java.util.stream.Stream;

/** Conversations of the caller, from which memories are extracted. */
public final class Sessions {
  private final Caller caller;

  Sessions(Caller caller) {
    this.caller = caller;
  }

  /** Starts a session. */
  public CreateSessionResponse create(CreateSessionRequest request) {
    return caller.write(SessionServiceGrpc.getCreateSessionMethod(), request);
  }

  /** Starts a session. */
  public CreateSessionResponse create() {
    return create(CreateSessionRequest.getDefaultInstance());
  }

  /** Returns a page of the caller's sessions, most recently changed first. */
  public ListSessionsResponse list(ListSessionsRequest request) {
    return caller.read(SessionServiceGrpc.getListSessionsMethod(), request);
  }

  /** Returns one session. */
  public GetSessionResponse get(GetSessionRequest request) {
    return caller.read(SessionServiceGrpc.getGetSessionMethod(), request);
  }

  /** Returns one session. */
  public GetSessionResponse get(String sessionId) {
    return get(GetSessionRequest.newBuilder().setSessionId(sessionId).build());
  }

  /** Deletes a session. Extracted memories stay. */
  public DeleteSessionResponse delete(DeleteSessionRequest request) {
    return caller.write(SessionServiceGrpc.getDeleteSessionMethod(), request);
  }

  /** Deletes a session. Extracted memories stay. */
  public DeleteSessionResponse delete(String sessionId) {
    return delete(DeleteSessionRequest.newBuilder().setSessionId(sessionId).build());
  }

  /** Appends a message. */
  public AddMessageResponse addMessage(AddMessageRequest request) {
    return caller.write(SessionServiceGrpc.getAddMessageMethod(), request);
  }

  /** Appends messages in one transaction, either all or none. */
  public AddMessagesResponse addMessages(AddMessagesRequest request) {
    return caller.write(SessionServiceGrpc.getAddMessagesMethod(), request);
  }

  /** Records that contexts and a skill were used. */
  public RecordUsageResponse used(RecordUsageRequest request) {
    return caller.write(SessionServiceGrpc.getRecordUsageMethod(), request);
  }

  /** Archives the messages and extracts memories. */
  public CommitSessionResponse commit(CommitSessionRequest request) {
    return caller.write(SessionServiceGrpc.getCommitSessionMethod(), request);
  }

  /** Archives the messages and extracts memories. */
  public CommitSessionResponse commit(String sessionId) {
    return commit(CommitSessionRequest.newBuilder().setSessionId(sessionId).build());
  }

  /** Returns the context of a session for a model, within a token budget. */
  public GetSessionContextResponse context(GetSessionContextRequest request) {
    return caller.read(SessionServiceGrpc.getGetSessionContextMethod(), request);
  }

  /** Returns the context of a session for a model, within a token budget. */
  public GetSessionContextResponse context(String sessionId) {
    return context(GetSessionContextRequest.newBuilder().setSessionId(sessionId).build());
  }

  /** Yields all sessions, page by page. */
  public Stream<SessionSummary> listAll(ListSessionsRequest request) {
    return Pages.all(list(request), ListSessionsResponse::getSessionsList, page -> page.hasNextCursor() ? Optional.of(page.getNextCursor()) : Optional.empty(),
        // the server counts an offset from the cursor: each page would leave out as many again
        cursor -> list(request.toBuilder().setCursor(cursor).clearOffset().build()));
  }
}
