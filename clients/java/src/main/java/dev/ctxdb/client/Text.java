package dev.ctxdb.client;

/**
 * Text of a file.
 *
 * @param content with its line ends as stored
 * @param etag value for `if_match` of a write
 */
public record Text(String content, String etag) {}
