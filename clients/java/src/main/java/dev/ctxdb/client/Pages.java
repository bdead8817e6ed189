package dev.ctxdb.client;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The items of all pages of a list. */
final class Pages {
  private Pages() {}

  /** Fetches pages lazily, as the stream reaches them; `next` returns the cursor of the next page, if any. */
  static <P, T> Stream<T> all(P first, Function<P, List<T>> items, Function<P, Optional<String>> next, Function<String, P> ask) {
    return Stream.iterate(first, Objects::nonNull, page -> next.apply(page).map(ask).orElse(null)).flatMap(page -> items.apply(page).stream());
  }
}
