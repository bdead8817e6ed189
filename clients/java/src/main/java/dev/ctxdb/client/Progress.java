package dev.ctxdb.client;

/**
 * How far a task is.
 *
 * @param stage what it is at, in one word
 * @param done steps done
 * @param total steps in all, as far as known
 */
public record Progress(String stage, int done, int total) {}
