package dev.ctxdb.client;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import nl.basjes.gitignore.GitIgnore;

/**
 * Writes the files of a folder as a zip: without hidden files, symbolic links, files named in
 * `.gitignore` files, and files that the server would skip.
 */
final class Folder extends SimpleFileVisitor<Path> {
  /** Folders that the server would skip. */
  private static final Set<String> SKIPPED =
      Set.of("node_modules", "bower_components", "vendor", "venv", "site-packages", "__pycache__", "target", "CVS");

  /** The patterns of a folder's own `.gitignore`. */
  private record Rules(Path folder, GitIgnore ignore) {}

  private final Path root;
  private final ZipOutputStream zip;
  private final Deque<Rules> rules = new ArrayDeque<>();

  private Folder(Path root, ZipOutputStream zip) {
    this.root = root;
    this.zip = zip;
  }

  static void zip(Path folder, OutputStream to) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(to);
    Path root = folder.toRealPath();
    Files.walkFileTree(root, new Folder(root, zip));
    zip.finish();
    zip.flush();
  }

  @Override
  public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
    boolean isBelow = !folder.equals(root);
    if (isBelow && (isHidden(folder) || SKIPPED.contains(folder.getFileName().toString()) || isIgnored(folder, "/"))) return FileVisitResult.SKIP_SUBTREE;
    Path file = folder.resolve(".gitignore");
    if (Files.isRegularFile(file)) rules.push(new Rules(folder, new GitIgnore(Files.readString(file))));
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path folder, IOException failed) throws IOException {
    if (failed != null) throw failed;
    if (!rules.isEmpty() && rules.peek().folder().equals(folder)) rules.pop();
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    if (!attributes.isRegularFile() || isHidden(file) || isIgnored(file, "")) return FileVisitResult.CONTINUE;
    zip.putNextEntry(new ZipEntry(nameBelow(root, file)));
    Files.copy(file, zip);
    zip.closeEntry();
    return FileVisitResult.CONTINUE;
  }

  /** The nearest `.gitignore` with a matching rule decides. */
  private boolean isIgnored(Path path, String end) {
    for (Rules near : rules) {
      Boolean said = near.ignore().isIgnoredFile(nameBelow(near.folder(), path) + end);
      if (said != null) return said;
    }
    return false;
  }

  private static boolean isHidden(Path path) {
    return path.getFileName().toString().startsWith(".");
  }

  private static String nameBelow(Path folder, Path path) {
    return folder.relativize(path).toString().replace(path.getFileSystem().getSeparator(), "/");
  }
}
