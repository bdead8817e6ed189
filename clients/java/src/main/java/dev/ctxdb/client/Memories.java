package dev.ctxdb.client;

import dev.ctxdb.v1.CreateMemoryRequest;
import dev.ctxdb.v1.CreateMemoryResponse;
import dev.ctxdb.v1.DeleteMemoryRequest;
import dev.ctxdb.v1.DeleteMemoryResponse;
import dev.ctxdb.v1.ForgetRequest;
import dev.ctxdb.v1.ForgetResponse;
import dev.ctxdb.v1.GetMemoryHistoryRequest;
import dev.ctxdb.v1.GetMemoryHistoryResponse;
import dev.ctxdb.v1.GetMemoryRequest;
import dev.ctxdb.v1.GetMemoryResponse;
import dev.ctxdb.v1.ListMemoriesRequest;
import dev.ctxdb.v1.ListMemoriesResponse;
import dev.ctxdb.v1.Memory;
import dev.ctxdb.v1.MemoryServiceGrpc;
import dev.ctxdb.v1.UpdateMemoryRequest;
import dev.ctxdb.v1.UpdateMemoryResponse;
import java.util.Optional;
import java.util.stream.Stream;

/** Single memories of the caller: facts and episodes. */
public final class Memories {
  private final Caller caller;

  Memories(Caller caller) {
    this.caller = caller;
  }

  /** Stores a statement word for word. */
  public CreateMemoryResponse create(CreateMemoryRequest request) {
    return caller.write(MemoryServiceGrpc.getCreateMemoryMethod(), request);
  }

  /** Stores a statement word for word. */
  public CreateMemoryResponse create(String statement) {
    return create(CreateMemoryRequest.newBuilder().setStatement(statement).build());
  }

  /** Returns a page of memories: facts, then episodes. */
  public ListMemoriesResponse list(ListMemoriesRequest request) {
    return caller.read(MemoryServiceGrpc.getListMemoriesMethod(), request);
  }

  /** Returns one memory. */
  public GetMemoryResponse get(GetMemoryRequest request) {
    return caller.read(MemoryServiceGrpc.getGetMemoryMethod(), request);
  }

  /** Returns one memory. */
  public GetMemoryResponse get(String memoryId) {
    return get(GetMemoryRequest.newBuilder().setMemoryId(memoryId).build());
  }

  /** Changes a fact. Its id stays the same; the previous statement moves to the history. */
  public UpdateMemoryResponse update(UpdateMemoryRequest request) {
    return caller.write(MemoryServiceGrpc.getUpdateMemoryMethod(), request);
  }

  /** Deletes a memory. The messages it comes from stay in the archive of their session. */
  public DeleteMemoryResponse delete(DeleteMemoryRequest request) {
    return caller.write(MemoryServiceGrpc.getDeleteMemoryMethod(), request);
  }

  /** Deletes a memory. The messages it comes from stay in the archive of their session. */
  public DeleteMemoryResponse delete(String memoryId) {
    return delete(DeleteMemoryRequest.newBuilder().setMemoryId(memoryId).build());
  }

  /** Removes memories for good by URI, query or subject, with the sentences they come from. */
  public ForgetResponse forget(ForgetRequest request) {
    return caller.write(MemoryServiceGrpc.getForgetMethod(), request);
  }

  /** Returns a fact and the facts it superseded, newest first. */
  public GetMemoryHistoryResponse history(GetMemoryHistoryRequest request) {
    return caller.read(MemoryServiceGrpc.getGetMemoryHistoryMethod(), request);
  }

  /** Yields all memories, page by page. */
  public Stream<Memory> listAll(ListMemoriesRequest request) {
    return Pages.all(list(request), ListMemoriesResponse::getMemoriesList, page -> page.hasNextCursor() ? Optional.of(page.getNextCursor()) : Optional.empty(),
        cursor -> list(request.toBuilder().setCursor(cursor).build()));
  }
}
