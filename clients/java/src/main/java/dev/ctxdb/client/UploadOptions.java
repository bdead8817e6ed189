package dev.ctxdb.client;

import java.util.function.LongConsumer;

/**
 * Options of an upload; null for the defaults.
 *
 * @param name name to use instead of that of the file, or of the folder with `.zip` appended
 * @param contentType media type; default: by name and content
 * @param onSent called with the number of bytes sent so far
 */
public record UploadOptions(String name, String contentType, LongConsumer onSent) {
  public static final UploadOptions NONE = new UploadOptions(null, null, null);
}
