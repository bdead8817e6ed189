package dev.ctxdb.client;

import com.google.protobuf.ByteString;
import dev.ctxdb.v1.FileChunk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.UUID;

/** A stream of bytes from the server, in chunks. Closing it before the end cancels the call. */
public final class Download implements Iterator<ByteString>, AutoCloseable {
  private final Messages<FileChunk> messages;
  private final String contentType;
  private ByteString first;

  Download(Messages<FileChunk> messages) {
    this.messages = messages;
    FileChunk start = messages.hasNext() ? messages.next() : FileChunk.getDefaultInstance();
    contentType = start.getContentType();
    first = start.getData();
  }

  /** Media type. */
  public String contentType() {
    return contentType;
  }

  @Override
  public boolean hasNext() {
    return first != null || messages.hasNext();
  }

  @Override
  public ByteString next() {
    ByteString held = first;
    first = null;
    return held == null ? messages.next().getData() : held;
  }

  /** Reads all bytes. */
  public byte[] bytes() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      writeTo(all);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return all.toByteArray();
  }

  /** Writes all bytes and returns their number. */
  public long writeTo(OutputStream out) throws IOException {
    long size = 0;
    while (hasNext()) {
      ByteString piece = next();
      piece.writeTo(out);
      size += piece.size();
    }
    return size;
  }

  /**
   * Writes the file, completely or not at all. Returns the number of bytes. INVALID_ARGUMENT if it
   * cannot be written.
   */
  public long save(Path path) {
    // a new file, so that neither other files, links nor downloads to the same path are overwritten
    Path part = path.resolveSibling("." + path.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      long size;
      try (OutputStream out = Files.newOutputStream(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        size = writeTo(out);
      }
      Files.move(part, path, StandardCopyOption.REPLACE_EXISTING);
      return size;
    } catch (IOException failed) {
      throw CtxdbException.ofPath(path, failed);
    } finally {
      close();
      remove(part);
    }
  }

  private static void remove(Path part) {
    try {
      Files.deleteIfExists(part);
    } catch (IOException left) {
      // ignored, because the error of the write is being thrown
    }
  }

  @Override
  public void close() {
    messages.close();
  }
}
