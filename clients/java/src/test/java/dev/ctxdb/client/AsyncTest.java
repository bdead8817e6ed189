package dev.ctxdb.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AsyncTest {
  @Test
  void aFutureEndsWithTheErrorThatItsCallsThrow() {
    try (Ctxdb client = Ctxdb.connect("http://127.0.0.1:1")) {
      CompletableFuture<Object> future = client.async(() -> {
        throw new AssertionError("wrong");
      });
      Throwable failed = assertThrows(ExecutionException.class, () -> future.get(10, TimeUnit.SECONDS)).getCause();
      assertEquals("wrong", failed.getMessage());
    }
  }
}
