package dev.ctxdb.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.Iterator;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Makes calls: with the headers of the connection, a deadline, and repetitions where they are safe. Everything it throws is a CtxdbException. */
final class Caller {
  private static final Metadata.Key<String> REQUEST_ID = Metadata.Key.of("x-request-id", Metadata.ASCII_STRING_MARSHALLER);

  private final Channel channel;
  private final Metadata headers;
  final Limits limits;

  Caller(Channel channel, Metadata headers, Limits limits) {
    this.channel = channel;
    this.headers = headers;
    this.limits = limits;
  }

  Caller with(Limits limits) {
    return new Caller(channel, headers, limits);
  }

  /** A message with the headers that came with it. */
  record Answer<A>(A message, Metadata headers) {}

  /** Makes a call that changes nothing. It is retried while the server is unavailable. */
  <Q extends Message, A> A read(MethodDescriptor<Q, A> method, Q request) {
    return readWithHeaders(method, request).message();
  }

  <Q extends Message, A> Answer<A> readWithHeaders(MethodDescriptor<Q, A> method, Q request) {
    return unary(method, request, limits.retries());
  }

  /**
   * Makes a call that changes something. It is only retried with an idempotency key, which is
   * created here if the request has a field for it.
   */
  <Q extends Message, A> A write(MethodDescriptor<Q, A> method, Q request) {
    FieldDescriptor key = request.getDescriptorForType().findFieldByName("idempotency_key");
    return unary(method, key == null ? request : keyed(request, key), key == null ? 0 : limits.retries()).message();
  }

  /**
   * Opens a stream of messages from the server. Waits for the first message, and retries while the server is
   * unavailable.
   */
  <Q extends Message, A> Messages<A> stream(MethodDescriptor<Q, A> method, Q request) {
    Call call = new Call(method, limits.longDeadline());
    return call.repeated(limits.retries(), attempt -> {
      Context.CancellableContext context = Context.current().withCancellation();
      try {
        Iterator<A> messages = context.call(() -> ClientCalls.blockingServerStreamingCall(attempt.channel(), method, attempt.options(), request));
        messages.hasNext();
        return new Messages<>(messages, context, call::error);
      } catch (Exception failed) {
        context.cancel(null);
        throw Status.fromThrowable(failed).asRuntimeException(Status.trailersFromThrowable(failed));
      }
    });
  }

  /** Like `stream`, but reopens it after a lost connection; for streams that begin with the current state. */
  <Q extends Message, A> Messages<A> resumed(MethodDescriptor<Q, A> method, Q request) {
    Call call = new Call(method, limits.longDeadline());
    Context.CancellableContext context = Context.current().withCancellation();
    Supplier<Messages<A>> open = () -> {
      // so that closing the messages cancels the stream
      Context before = context.attach();
      try {
        return with(limits.withDeadline(Duration.ofNanos(call.left()))).stream(method, request);
      } finally {
        context.detach(before);
      }
    };
    try {
      return new Messages<>(new Resumed<>(call, open), context, failed -> failed instanceof CtxdbException known ? known : call.error(failed));
    } catch (CtxdbException failed) {
      context.cancel(null);
      throw failed;
    }
  }

  /** Concatenates the messages of successive streams. */
  private static final class Resumed<A> implements Iterator<A> {
    private final Call call;
    private final Supplier<Messages<A>> open;
    private Messages<A> messages;

    Resumed(Call call, Supplier<Messages<A>> open) {
      this.call = call;
      this.open = open;
      messages = open.get();
    }

    @Override
    public boolean hasNext() {
      while (true) {
        try {
          return messages.hasNext();
        } catch (CtxdbException broken) {
          long pause = Retry.pauseBefore(0, broken.retryAfter().orElse(Duration.ZERO));
          if (!broken.code().equals("UNAVAILABLE") || call.isLateAfter(pause)) throw broken;
          messages.close();
          Retry.sleep(pause);
          messages = open.get();
        }
      }
    }

    @Override
    public A next() {
      return messages.next();
    }
  }

  /** Receives the messages of a client stream in order. */
  interface Sink<Q> {
    void send(Q message);
  }

  /** Writes all messages of a client stream to its sink. */
  interface Source<Q> {
    void feed(Sink<Q> sink);
  }

  /** Makes a client-streaming call. Never retried, because the sent data is not buffered. */
  <Q, A> A send(MethodDescriptor<Q, A> method, Source<Q> source) {
    return new Call(method, limits.longDeadline()).repeated(0, attempt -> {
      BlockingClientCall<Q, A> stream = ClientCalls.blockingClientStreamingCall(attempt.channel(), method, attempt.options());
      try {
        feed(stream, source);
        A answer = stream.read();
        if (answer == null) throw Status.INTERNAL.withDescription("the server ended without an answer").asRuntimeException();
        return answer;
      } catch (StatusException failed) {
        throw failed.getStatus().asRuntimeException(failed.getTrailers());
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw Status.CANCELLED.withDescription("interrupted").withCause(interrupted).asRuntimeException();
      } finally {
        stream.cancel("no longer wanted", null);
      }
    });
  }

  /** If the server answers before the end of the stream, the following read returns that answer. */
  private static <Q> void feed(BlockingClientCall<Q, ?> stream, Source<Q> source) {
    try {
      source.feed(message -> {
        try {
          if (!stream.write(message)) throw new Answered();
        } catch (StatusException failed) {
          throw failed.getStatus().asRuntimeException(failed.getTrailers());
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw Status.CANCELLED.withDescription("interrupted").withCause(interrupted).asRuntimeException();
        }
      });
      stream.halfClose();
    } catch (Answered early) {
      // the answer is read by the caller
    }
  }

  private static final class Answered extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private <Q extends Message, A> Answer<A> unary(MethodDescriptor<Q, A> method, Q request, int retries) {
    return new Call(method, limits.ofCall(request)).repeated(retries, attempt -> {
      A message = ClientCalls.blockingUnaryCall(attempt.channel(), method, attempt.options(), request);
      return new Answer<>(message, attempt.received().get());
    });
  }

  @SuppressWarnings("unchecked")
  private static <Q extends Message> Q keyed(Q request, FieldDescriptor key) {
    if (request.hasField(key)) return request;
    return (Q) request.toBuilder().setField(key, UUID.randomUUID().toString()).build();
  }

  /** Channel and options of one attempt, and the headers that it receives. */
  private record Attempt(Channel channel, CallOptions options, AtomicReference<Metadata> received) {}

  private interface Try<T> {
    T run(Attempt attempt);
  }

  /** One call; its attempts share a request id and a deadline. */
  private final class Call {
    private final String operation;
    private final String requestId = UUID.randomUUID().toString();
    private final long ends;

    Call(MethodDescriptor<?, ?> method, Duration deadline) {
      operation = method.getBareMethodName();
      ends = System.nanoTime() + deadline.toNanos();
    }

    /**
     * Runs attempts until one succeeds, fails with an error that is not retried, or too little time is left.
     */
    <T> T repeated(int retries, Try<T> attempt) {
      for (int count = 0; ; count++) {
        AtomicReference<Metadata> received = new AtomicReference<>();
        try {
          return attempt.run(attempt(received));
        } catch (StatusRuntimeException failed) {
          long pause = Retry.pauseBefore(count, Retry.wishOf(received.get()), Retry.wishOf(failed.getTrailers()));
          if (count >= retries || isLateAfter(pause) || !Retry.isUnavailable(failed)) throw error(failed);
          pause(pause);
        }
      }
    }

    /** Remaining time in ns, at least 1. */
    long left() {
      return Math.max(1, ends - System.nanoTime());
    }

    /** Whether the deadline would pass during a pause. */
    boolean isLateAfter(long milliseconds) {
      return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds) >= ends;
    }

    CtxdbException error(Throwable failed) {
      return CtxdbException.of(failed, operation, requestId);
    }

    private void pause(long milliseconds) {
      try {
        Retry.sleep(milliseconds);
      } catch (StatusRuntimeException cancelled) {
        throw error(cancelled);
      }
    }

    private Attempt attempt(AtomicReference<Metadata> received) {
      Metadata sent = new Metadata();
      sent.merge(headers);
      sent.put(REQUEST_ID, requestId);
      Channel intercepted = ClientInterceptors.intercept(
          channel, MetadataUtils.newAttachHeadersInterceptor(sent), MetadataUtils.newCaptureMetadataInterceptor(received, new AtomicReference<>()));
      return new Attempt(intercepted, CallOptions.DEFAULT.withDeadlineAfter(left(), TimeUnit.NANOSECONDS), received);
    }
  }
}
