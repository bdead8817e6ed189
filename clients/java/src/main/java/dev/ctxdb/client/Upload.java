package dev.ctxdb.client;

import com.google.protobuf.ByteString;
import dev.ctxdb.v1.ResourceServiceGrpc;
import dev.ctxdb.v1.UploadFileRequest;
import dev.ctxdb.v1.UploadFileResponse;
import dev.ctxdb.v1.UploadHeader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** Sends a local file, or a folder as a zip that is created during the upload. */
final class Upload {
  /** Maximum size of a chunk that the server accepts. */
  private static final int CHUNK_BYTES = 1024 * 1024;

  private Upload() {}

  static UploadFileResponse send(Caller caller, Path path, UploadOptions options) {
    boolean isFolder = Files.isDirectory(path);
    UploadHeader.Builder header = UploadHeader.newBuilder().setName(options.name() == null ? nameOf(path, isFolder) : options.name());
    if (options.contentType() != null) header.setContentType(options.contentType());
    return caller.send(ResourceServiceGrpc.getUploadFileMethod(), sink -> {
      sink.send(UploadFileRequest.newBuilder().setHeader(header).build());
      try (Pieces pieces = new Pieces(sink, options.onSent())) {
        if (isFolder) Folder.zip(path, pieces);
        else Files.copy(path, pieces);
        pieces.sendRest();
      } catch (IOException failed) {
        throw CtxdbException.ofPath(path, failed);
      }
    });
  }

  /**
   * The name of a file or folder, also if the path ends in `.` or `..`. Throws INVALID_ARGUMENT if it has
   * none.
   */
  private static String nameOf(Path path, boolean isFolder) {
    if (!Files.isReadable(path)) throw CtxdbException.invalid("path", path + ": cannot be read or is not there", null);
    Path name = path.toAbsolutePath().normalize().getFileName();
    if (name == null) throw CtxdbException.invalid("path", path + ": the root of a disk has no name", null);
    return isFolder ? name + ".zip" : name.toString();
  }

  /** Splits the written bytes into messages of CHUNK_BYTES. */
  private static final class Pieces extends OutputStream {
    private final Caller.Sink<UploadFileRequest> sink;
    private final LongConsumer onSent;
    private final byte[] piece = new byte[CHUNK_BYTES];
    private int length;
    private long sent;

    Pieces(Caller.Sink<UploadFileRequest> sink, LongConsumer onSent) {
      this.sink = sink;
      this.onSent = onSent;
    }

    @Override
    public void write(int single) {
      write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) {
      for (int at = 0; at < count; ) {
        int taken = Math.min(count - at, CHUNK_BYTES - length);
        System.arraycopy(bytes, offset + at, piece, length, taken);
        length += taken;
        at += taken;
        if (length == CHUNK_BYTES) sendRest();
      }
    }

    void sendRest() {
      if (length == 0) return;
      sink.send(UploadFileRequest.newBuilder().setChunk(ByteString.copyFrom(piece, 0, length)).build());
      sent += length;
      length = 0;
      if (onSent != null) onSent.accept(sent);
    }
  }
}
