package dev.ctxdb.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.ctxdb.v1.ListSessionsRequest;
import dev.ctxdb.v1.ListSessionsResponse;
import dev.ctxdb.v1.SessionServiceGrpc.SessionServiceImplBase;
import dev.ctxdb.v1.SessionSummary;
import dev.ctxdb.v1.Task;
import dev.ctxdb.v1.TaskServiceGrpc.TaskServiceImplBase;
import dev.ctxdb.v1.WatchTaskRequest;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists of several pages, and streams that break off. */
class StreamsTest {
  private final AtomicInteger watches = new AtomicInteger();
  private Server server;
  private ManagedChannel channel;
  private Caller caller;
  private final Metadata later = new Metadata();
  private Status breaks = Status.UNAVAILABLE;

  @BeforeEach
  void start() throws IOException {
    String name = InProcessServerBuilder.generateName();
    server = InProcessServerBuilder.forName(name).addService(new Pages()).addService(new Work()).build().start();
    channel = InProcessChannelBuilder.forName(name).build();
    caller = new Caller(channel, new Metadata(), Limits.DEFAULT);
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.shutdownNow();
  }

  @Test
  void anOffsetLeavesOutTheFirstSessionsOfAListOnly() {
    ListSessionsRequest request = ListSessionsRequest.newBuilder().setLimit(2).setOffset(3).build();
    List<String> ids = new Sessions(caller).listAll(request).map(SessionSummary::getSessionId).toList();
    assertEquals(List.of("3", "4", "5", "6", "7", "8", "9"), ids);
  }

  @Test
  void waitingForATaskGoesOnAfterABrokenConnection() {
    List<String> stages = new ArrayList<>();
    assertEquals("completed", new Tasks(caller).await("t", progress -> stages.add(progress.stage())).getStatus());
    assertEquals(List.of("1", "2"), stages);
  }

  @Test
  void waitingForATaskEndsAtAnyOtherErrorAndWhereTheServerAsksForAPausePastTheDeadline() {
    later.put(Metadata.Key.of("retry-after", Metadata.ASCII_STRING_MARSHALLER), "999999");
    CtxdbException late = assertThrows(CtxdbException.class, () -> new Tasks(caller).await("t", progress -> {}));
    assertEquals("UNAVAILABLE", late.code());
    assertEquals(Optional.of(Duration.ofSeconds(999_999)), late.retryAfter());
    assertEquals(1, watches.get());
    breaks = Status.INTERNAL;
    watches.set(0);
    assertEquals("INTERNAL", assertThrows(CtxdbException.class, () -> new Tasks(caller).await("t", progress -> {})).code());
    assertEquals(1, watches.get());
  }

  /** Lists the sessions "0" to "9"; an offset counts from the cursor. */
  private static final class Pages extends SessionServiceImplBase {
    @Override
    public void listSessions(ListSessionsRequest request, StreamObserver<ListSessionsResponse> observer) {
      int from = request.getOffset() + (request.hasCursor() ? Integer.parseInt(request.getCursor()) : 0);
      int end = Math.min(from + request.getLimit(), 10);
      ListSessionsResponse.Builder page = ListSessionsResponse.newBuilder();
      for (int at = from; at < end; at++) page.addSessions(SessionSummary.newBuilder().setSessionId(String.valueOf(at)));
      if (end < 10) page.setNextCursor(String.valueOf(end));
      observer.onNext(page.build());
      observer.onCompleted();
    }
  }

  /** The first stream breaks off behind its first message. */
  private final class Work extends TaskServiceImplBase {
    @Override
    public void watchTask(WatchTaskRequest request, StreamObserver<Task> observer) {
      int count = watches.incrementAndGet();
      observer.onNext(Task.newBuilder().setStatus(count == 1 ? "running" : "completed").setStage(String.valueOf(count)).build());
      if (count == 1) observer.onError(breaks.asRuntimeException(later));
      else observer.onCompleted();
    }
  }
}
