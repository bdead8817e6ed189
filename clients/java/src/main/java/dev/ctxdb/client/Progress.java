package dev.ctxdb.client;

/**
 * Progress of a task.
 *
 * @param stage current stage, in one word
 * @param done number of completed steps
 * @param total total number of steps; may grow, and is 0 while unknown
 */
public record Progress(String stage, int done, int total) {}
