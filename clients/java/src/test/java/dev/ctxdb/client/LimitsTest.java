package dev.ctxdb.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ctxdb.v1.AddResourceRequest;
import dev.ctxdb.v1.CommitSessionRequest;
import dev.ctxdb.v1.FindRequest;
import dev.ctxdb.v1.WaitProcessedRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LimitsTest {
  @Test
  void aCallThatWaitsHasTheTimeItAsksFor() {
    Limits limits = Limits.DEFAULT;
    assertEquals(Duration.ofSeconds(60), limits.ofCall(FindRequest.getDefaultInstance()));
    assertEquals(Duration.ofSeconds(60), limits.ofCall(AddResourceRequest.newBuilder().setTimeout(100).build()));
    assertEquals(Duration.ofSeconds(110), limits.ofCall(AddResourceRequest.newBuilder().setWait(true).setTimeout(100).build()));
    assertEquals(Duration.ofSeconds(600), limits.ofCall(AddResourceRequest.newBuilder().setWait(true).build()));
    assertEquals(Duration.ofSeconds(600), limits.ofCall(CommitSessionRequest.getDefaultInstance()));
    assertEquals(Duration.ofSeconds(60), limits.ofCall(CommitSessionRequest.newBuilder().setWait(false).build()));
    assertEquals(Duration.ofSeconds(60), limits.ofCall(WaitProcessedRequest.newBuilder().setTimeout(-1).build()));
  }

  @Test
  void aChosenDeadlineHoldsForEverything() {
    Limits limits = Limits.DEFAULT.withDeadline(Duration.ofSeconds(2));
    assertEquals(Duration.ofSeconds(2), limits.ofCall(AddResourceRequest.newBuilder().setWait(true).setTimeout(100).build()));
    assertEquals(Duration.ofSeconds(2), limits.longDeadline());
  }
}
