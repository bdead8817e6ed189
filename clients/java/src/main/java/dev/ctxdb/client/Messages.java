package dev.ctxdb.client;

import io.grpc.Context;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A stream of messages from the server. Closing it before the end cancels the call. */
public final class Messages<T> implements Iterator<T>, AutoCloseable {
  private final Iterator<T> messages;
  private final Context.CancellableContext context;
  private final Function<Throwable, CtxdbException> translate;

  Messages(Iterator<T> messages, Context.CancellableContext context, Function<Throwable, CtxdbException> translate) {
    this.messages = messages;
    this.context = context;
    this.translate = translate;
  }

  /** Waits for the next message; false at the end. */
  @Override
  public boolean hasNext() {
    try {
      return messages.hasNext();
    } catch (RuntimeException failed) {
      throw translate.apply(failed);
    }
  }

  @Override
  public T next() {
    if (!hasNext()) throw new NoSuchElementException("the stream has ended");
    return messages.next();
  }

  /** The remaining messages; closing the returned stream closes this one. */
  public Stream<T> stream() {
    Spliterator<T> left = Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED | Spliterator.NONNULL);
    return StreamSupport.stream(left, false).onClose(this::close);
  }

  @Override
  public void close() {
    context.cancel(null);
  }
}
