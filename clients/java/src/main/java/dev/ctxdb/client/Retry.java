package dev.ctxdb.client;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Decides whether and when an attempt is repeated. */
final class Retry {
  private static final long FIRST_PAUSE_MS = 100;
  private static final long MAX_PAUSE_MS = 5_000;
  private static final Metadata.Key<String> RETRY_AFTER = Metadata.Key.of("retry-after", Metadata.ASCII_STRING_MARSHALLER);

  private Retry() {}

  /** Whether the server was unreachable: it answered UNAVAILABLE, or the connection broke. */
  static boolean isUnavailable(Throwable thrown) {
    return Status.fromThrowable(thrown).getCode() == Status.Code.UNAVAILABLE;
  }

  /** The Retry-After in headers or trailers; zero if there is none. */
  static Duration wishOf(Metadata received) {
    String seconds = received == null ? null : received.get(RETRY_AFTER);
    return seconds != null && seconds.matches("\\d{1,6}") ? Duration.ofSeconds(Long.parseLong(seconds)) : Duration.ZERO;
  }

  /** Pause in ms before retry 0, 1, …: exponential, with jitter, and at least what the server asks for. */
  static long pauseBefore(int attempt, Duration... wishes) {
    long grown = Math.min(FIRST_PAUSE_MS << Math.min(attempt, 16), MAX_PAUSE_MS);
    long pause = (long) (grown * (0.5 + ThreadLocalRandom.current().nextDouble()));
    for (Duration wish : wishes) pause = Math.max(pause, wish.toMillis());
    return pause;
  }

  /** Sleeps. Throws CANCELLED as soon as the thread is interrupted or the current context is cancelled. */
  static void sleep(long milliseconds) {
    CountDownLatch cancelled = new CountDownLatch(1);
    Context.CancellationListener listener = context -> cancelled.countDown();
    Context context = Context.current();
    context.addListener(listener, Runnable::run);
    try {
      if (cancelled.await(milliseconds, TimeUnit.MILLISECONDS)) throw Status.CANCELLED.withDescription("cancelled between two attempts").asRuntimeException();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw Status.CANCELLED.withDescription("interrupted between two attempts").withCause(interrupted).asRuntimeException();
    } finally {
      context.removeListener(listener);
    }
  }
}
