package dev.ctxdb.client.scenarios;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The local files of the list: texts, links, and numbers of bytes. */
final class LocalFiles {
  private static final byte[] PATTERN = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY".getBytes(StandardCharsets.US_ASCII);

  private LocalFiles() {}

  static Path write(JsonObject files) throws IOException {
    Path folder = Files.createTempDirectory("scenarios");
    for (Map.Entry<String, JsonElement> file : files.entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      JsonElement what = file.getValue();
      if (what.isJsonPrimitive()) Files.writeString(path, what.getAsString());
      else if (what.getAsJsonObject().has("link")) Files.createSymbolicLink(path, Path.of(what.getAsJsonObject().get("link").getAsString()));
      else Files.write(path, bytes(what.getAsJsonObject().get("bytes").getAsInt()));
    }
    return folder;
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    for (int at = 0; at < count; at++) bytes[at] = PATTERN[at % PATTERN.length];
    return bytes;
  }
}
