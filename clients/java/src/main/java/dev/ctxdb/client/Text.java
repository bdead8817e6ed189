package dev.ctxdb.client;

/**
 * The text of a file.
 *
 * @param content with its line ends as stored
 * @param etag for `if_match` of a write
 */
public record Text(String content, String etag) {}
