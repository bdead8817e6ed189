package dev.ctxdb.client;

import java.util.function.LongConsumer;

/**
 * What can be said of an upload; null leaves it open.
 *
 * @param name instead of the name of the file, or of the folder with `.zip` behind it
 * @param contentType media type; default: by name and content
 * @param onSent hears how many bytes have been handed over so far
 */
public record UploadOptions(String name, String contentType, LongConsumer onSent) {
  public static final UploadOptions NONE = new UploadOptions(null, null, null);
}
