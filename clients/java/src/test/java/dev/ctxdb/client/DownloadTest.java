package dev.ctxdb.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import dev.ctxdb.v1.FileChunk;
import io.grpc.Context;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DownloadTest {
  @TempDir Path folder;

  private static Download download(String text) {
    FileChunk chunk = FileChunk.newBuilder().setData(ByteString.copyFromUtf8(text)).build();
    return new Download(new Messages<>(List.of(chunk).iterator(), Context.current().withCancellation(), failed -> CtxdbException.of(failed, "download", "id")));
  }

  @Test
  void otherFilesBesideADownloadAreLeftAlone() throws IOException {
    Path path = folder.resolve("a.zip");
    Path other = Files.writeString(folder.resolve("a.zip.part"), "mine");
    assertEquals(3, download("new").save(path));
    assertEquals("new", Files.readString(path));
    assertEquals("mine", Files.readString(other));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(2, files.count());
    }
  }
}
