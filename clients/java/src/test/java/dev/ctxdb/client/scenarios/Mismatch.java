package dev.ctxdb.client.scenarios;

/** Why a step failed. */
final class Mismatch extends RuntimeException {
  private static final long serialVersionUID = 1;

  Mismatch(String message) {
    super(message);
  }
}
