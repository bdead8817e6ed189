package dev.ctxdb.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.time.Duration;

/** Time limits of calls, and how often they are retried. */
record Limits(Duration deadline, Duration longDeadline, boolean isChosen, int retries) {
  static final Limits DEFAULT = new Limits(Duration.ofSeconds(60), Duration.ofSeconds(600), false, 3);

  /** Time that a call may take in addition to the time it asks the server to wait. */
  private static final Duration WAIT_MARGIN = Duration.ofSeconds(10);

  private static final Duration MAX_DEADLINE = Duration.ofDays(1);

  /** One deadline for all calls, including transfers and waits. */
  Limits withDeadline(Duration deadline) {
    Duration bounded = min(deadline, MAX_DEADLINE);
    return new Limits(bounded, bounded, true, retries);
  }

  Limits withRetries(int retries) {
    return new Limits(deadline, longDeadline, isChosen, retries);
  }

  /** Deadline of a call: includes the time that its `wait` and `timeout` let the server wait. */
  Duration ofCall(Message request) {
    FieldDescriptor wait = request.getDescriptorForType().findFieldByName("wait");
    FieldDescriptor timeout = request.getDescriptorForType().findFieldByName("timeout");
    if (!waits(request, wait, timeout)) return deadline;
    if (timeout == null || !request.hasField(timeout)) return longDeadline;
    if (isChosen) return deadline;
    double seconds = Math.min(MAX_DEADLINE.toSeconds(), Math.max(0, (Double) request.getField(timeout)));
    Duration asked = Duration.ofMillis((long) (seconds * 1000)).plus(WAIT_MARGIN);
    return min(asked.compareTo(deadline) > 0 ? asked : deadline, MAX_DEADLINE);
  }

  /** A request with a timeout and without `wait` always waits; an absent optional `wait` means true. */
  private static boolean waits(Message request, FieldDescriptor wait, FieldDescriptor timeout) {
    if (wait == null) return timeout != null;
    if (wait.hasPresence() && !request.hasField(wait)) return true;
    return (Boolean) request.getField(wait);
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
