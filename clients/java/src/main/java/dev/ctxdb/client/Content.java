package dev.ctxdb.client;

import dev.ctxdb.v1.ContentServiceGrpc;
import dev.ctxdb.v1.DiffVersionsRequest;
import dev.ctxdb.v1.DiffVersionsResponse;
import dev.ctxdb.v1.DownloadContentRequest;
import dev.ctxdb.v1.GetAbstractRequest;
import dev.ctxdb.v1.GetAbstractResponse;
import dev.ctxdb.v1.GetOverviewRequest;
import dev.ctxdb.v1.GetOverviewResponse;
import dev.ctxdb.v1.ListChunksRequest;
import dev.ctxdb.v1.ListChunksResponse;
import dev.ctxdb.v1.ListVersionsRequest;
import dev.ctxdb.v1.ListVersionsResponse;
import dev.ctxdb.v1.ReadContentRequest;
import dev.ctxdb.v1.ReadContentResponse;
import dev.ctxdb.v1.RestoreVersionRequest;
import dev.ctxdb.v1.RestoreVersionResponse;
import dev.ctxdb.v1.WriteContentRequest;
import dev.ctxdb.v1.WriteContentResponse;
import dev.ctxdb.v1.WriteFilesRequest;
import dev.ctxdb.v1.WriteFilesResponse;
import io.grpc.Metadata;

/** The three layers of a node: content (L2), overview (L1), abstract (L0). */
public final class Content {
  private static final Metadata.Key<String> ETAG = Metadata.Key.of("etag", Metadata.ASCII_STRING_MARSHALLER);

  private final Caller caller;

  Content(Caller caller) {
    this.caller = caller;
  }

  /** Returns the abstract (L0). FAILED_PRECONDITION while it is not ready yet. */
  public GetAbstractResponse abstractOf(GetAbstractRequest request) {
    return caller.read(ContentServiceGrpc.getGetAbstractMethod(), request);
  }

  /** Returns the abstract (L0). FAILED_PRECONDITION while it is not ready yet. */
  public GetAbstractResponse abstractOf(String uri) {
    return abstractOf(GetAbstractRequest.newBuilder().setUri(uri).build());
  }

  /** Returns the overview (L1). FAILED_PRECONDITION while it is not ready yet. */
  public GetOverviewResponse overview(GetOverviewRequest request) {
    return caller.read(ContentServiceGrpc.getGetOverviewMethod(), request);
  }

  /** Returns the overview (L1). FAILED_PRECONDITION while it is not ready yet. */
  public GetOverviewResponse overview(String uri) {
    return overview(GetOverviewRequest.newBuilder().setUri(uri).build());
  }

  /** Returns the chunks of a file or folder in the search index. */
  public ListChunksResponse chunks(ListChunksRequest request) {
    return caller.read(ContentServiceGrpc.getListChunksMethod(), request);
  }

  /** Returns the versions of a file, newest first. */
  public ListVersionsResponse history(ListVersionsRequest request) {
    return caller.read(ContentServiceGrpc.getListVersionsMethod(), request);
  }

  /** Compares two versions of a text file; by default the current version and the one before. */
  public DiffVersionsResponse diff(DiffVersionsRequest request) {
    return caller.read(ContentServiceGrpc.getDiffVersionsMethod(), request);
  }

  /** Restores the content of an earlier version of a file, as a new version. */
  public RestoreVersionResponse restore(RestoreVersionRequest request) {
    return caller.write(ContentServiceGrpc.getRestoreVersionMethod(), request);
  }

  /** Writes a text file. An interrupted write is retried without writing twice. */
  public WriteContentResponse write(WriteContentRequest request) {
    return caller.write(ContentServiceGrpc.getWriteContentMethod(), request);
  }

  /**
   * Writes several text files in one transaction, either all or none. An interrupted write is
   * retried without writing twice.
   */
  public WriteFilesResponse writeMany(WriteFilesRequest request) {
    return caller.write(ContentServiceGrpc.getWriteFilesMethod(), request);
  }

  /**
   * Returns a file as text, whole or a range of lines. INVALID_ARGUMENT for folders and binary
   * content.
   */
  public Text read(ReadContentRequest request) {
    Caller.Answer<ReadContentResponse> answer = caller.readWithHeaders(ContentServiceGrpc.getReadContentMethod(), request);
    String etag = answer.headers() == null ? null : answer.headers().get(ETAG);
    return new Text(answer.message().getContent(), etag == null ? "" : etag.replaceAll("^\"|\"$", ""));
  }

  /** A file as text. */
  public Text read(String uri) {
    return read(ReadContentRequest.newBuilder().setUri(uri).build());
  }

  /** Streams the bytes of a file. */
  public Download download(DownloadContentRequest request) {
    return new Download(caller.stream(ContentServiceGrpc.getDownloadContentMethod(), request));
  }

  /** Streams the bytes of a file. */
  public Download download(String uri) {
    return download(DownloadContentRequest.newBuilder().setUri(uri).build());
  }
}
