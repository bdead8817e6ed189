package dev.ctxdb.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderTest {
  private static final List<String> FILES = List.of(
      "a.md", "日本.md", "in/b.md", "in/c.log", ".hidden", ".git/config", "node_modules/x.js", "in/target/y", "secret.txt", "in/secret.txt", "in/z.tmp", "out/d.md");

  @Test
  void aFolderUploadTakesTheFilesOfAnImport(@TempDir Path folder) throws IOException {
    for (String name : FILES) {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, name);
    }
    Files.writeString(folder.resolve(".gitignore"), "*.log\n/secret.txt\nout/\n");
    Files.writeString(folder.resolve("in/.gitignore"), "*.tmp\n");
    Files.createSymbolicLink(folder.resolve("link.md"), Path.of("a.md"));
    assertEquals(Set.of("a.md", "日本.md", "in/b.md", "in/secret.txt"), namesIn(folder));
  }

  @Test
  void aFolderUploadFollowsALinkToTheFolder(@TempDir Path folder) throws IOException {
    Files.writeString(Files.createDirectory(folder.resolve("real")).resolve("a.md"), "a");
    Files.createSymbolicLink(folder.resolve("link"), Path.of("real"));
    assertEquals(Set.of("a.md"), namesIn(folder.resolve("link")));
  }

  private static Set<String> namesIn(Path folder) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Folder.zip(folder, bytes);
    Set<String> names = new TreeSet<>();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) names.add(entry.getName());
    }
    return names;
  }
}
