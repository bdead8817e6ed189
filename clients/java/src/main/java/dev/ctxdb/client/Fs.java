package dev.ctxdb.client;

import com.google.protobuf.Value;
import dev.ctxdb.v1.FilesystemServiceGrpc;
import dev.ctxdb.v1.CopyNodeRequest;
import dev.ctxdb.v1.CopyNodeResponse;
import dev.ctxdb.v1.ListEntriesRequest;
import dev.ctxdb.v1.ListEntriesResponse;
import dev.ctxdb.v1.ListTreeRequest;
import dev.ctxdb.v1.ListTreeResponse;
import dev.ctxdb.v1.MakeDirectoryRequest;
import dev.ctxdb.v1.MakeDirectoryResponse;
import dev.ctxdb.v1.MoveNodeRequest;
import dev.ctxdb.v1.MoveNodeResponse;
import dev.ctxdb.v1.RemoveNodeRequest;
import dev.ctxdb.v1.RemoveNodeResponse;
import dev.ctxdb.v1.RemoveNodesRequest;
import dev.ctxdb.v1.RemoveNodesResponse;
import dev.ctxdb.v1.StatNodeRequest;
import dev.ctxdb.v1.StatNodeResponse;
import dev.ctxdb.v1.TagNodeRequest;
import dev.ctxdb.v1.TagNodeResponse;
import java.util.Optional;
import java.util.stream.Stream;

/** The tree of files and folders. */
public final class Fs {
  private final Caller caller;

  Fs(Caller caller) {
    this.caller = caller;
  }

  /** Returns a page of a folder's entries, sorted by name. */
  public ListEntriesResponse ls(ListEntriesRequest request) {
    return caller.read(FilesystemServiceGrpc.getListEntriesMethod(), request);
  }

  /** Returns a page of a folder's entries, sorted by name. */
  public ListEntriesResponse ls(String uri) {
    return ls(ListEntriesRequest.newBuilder().setUri(uri).build());
  }

  /** Returns a page of everything below a folder; each folder comes before its contents. */
  public ListTreeResponse tree(ListTreeRequest request) {
    return caller.read(FilesystemServiceGrpc.getListTreeMethod(), request);
  }

  /** Returns a page of everything below a folder; each folder comes before its contents. */
  public ListTreeResponse tree(String uri) {
    return tree(ListTreeRequest.newBuilder().setUri(uri).build());
  }

  /** Returns the metadata of a file or folder. */
  public StatNodeResponse stat(StatNodeRequest request) {
    return caller.read(FilesystemServiceGrpc.getStatNodeMethod(), request);
  }

  /** Returns the metadata of a file or folder. */
  public StatNodeResponse stat(String uri) {
    return stat(StatNodeRequest.newBuilder().setUri(uri).build());
  }

  /** Creates a folder and its missing parents. */
  public MakeDirectoryResponse mkdir(MakeDirectoryRequest request) {
    return caller.write(FilesystemServiceGrpc.getMakeDirectoryMethod(), request);
  }

  /** Creates a folder and its missing parents. */
  public MakeDirectoryResponse mkdir(String uri) {
    return mkdir(MakeDirectoryRequest.newBuilder().setUri(uri).build());
  }

  /** Moves a file or folder in one atomic step. */
  public MoveNodeResponse mv(MoveNodeRequest request) {
    return caller.write(FilesystemServiceGrpc.getMoveNodeMethod(), request);
  }

  /** Copies a file or folder to a free URI; contents, layers and vectors are reused. */
  public CopyNodeResponse cp(CopyNodeRequest request) {
    return caller.write(FilesystemServiceGrpc.getCopyNodeMethod(), request);
  }

  /** Adds and removes tags. The tags of a folder apply to everything below it. */
  public TagNodeResponse tag(TagNodeRequest request) {
    return caller.write(FilesystemServiceGrpc.getTagNodeMethod(), request);
  }

  /** Deletes a file or folder. */
  public RemoveNodeResponse rm(RemoveNodeRequest request) {
    return caller.write(FilesystemServiceGrpc.getRemoveNodeMethod(), request);
  }

  /** Deletes a file or folder. */
  public RemoveNodeResponse rm(String uri) {
    return rm(RemoveNodeRequest.newBuilder().setUri(uri).build());
  }

  /** Deletes several files and folders in one transaction, either all or none. */
  public RemoveNodesResponse rmMany(RemoveNodesRequest request) {
    return caller.write(FilesystemServiceGrpc.getRemoveNodesMethod(), request);
  }

  /** Yields all entries of a folder, page by page. */
  public Stream<Value> lsAll(ListEntriesRequest request) {
    return Pages.all(ls(request), ListEntriesResponse::getEntriesList, page -> page.hasNextCursor() ? Optional.of(page.getNextCursor()) : Optional.empty(),
        cursor -> ls(request.toBuilder().setCursor(cursor).build()));
  }

  /** Yields everything below a folder, page by page. */
  public Stream<Value> treeAll(ListTreeRequest request) {
    return Pages.all(tree(request), ListTreeResponse::getEntriesList, page -> page.hasNextCursor() ? Optional.of(page.getNextCursor()) : Optional.empty(),
        cursor -> tree(request.toBuilder().setCursor(cursor).build()));
  }
}
