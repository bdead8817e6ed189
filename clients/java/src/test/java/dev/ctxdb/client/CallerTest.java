package dev.ctxdb.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ctxdb.v1.ContentServiceGrpc.ContentServiceImplBase;
import dev.ctxdb.v1.FilesystemServiceGrpc.FilesystemServiceImplBase;
import dev.ctxdb.v1.MakeDirectoryRequest;
import dev.ctxdb.v1.MakeDirectoryResponse;
import dev.ctxdb.v1.StatNodeRequest;
import dev.ctxdb.v1.StatNodeResponse;
import dev.ctxdb.v1.WriteContentRequest;
import dev.ctxdb.v1.WriteContentResponse;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that is unavailable for the first two calls. */
class CallerTest {
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private Server server;
  private ManagedChannel channel;
  private Caller caller;

  @BeforeEach
  void start() throws IOException {
    String name = InProcessServerBuilder.generateName();
    server = InProcessServerBuilder.forName(name).addService(new Tree()).addService(new Contents()).build().start();
    channel = InProcessChannelBuilder.forName(name).build();
    caller = new Caller(channel, new Metadata(), Limits.DEFAULT);
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.shutdownNow();
  }

  @Test
  void readsAreRepeated() {
    assertEquals("a", new Fs(caller).stat("a").getName());
    assertEquals(3, heard.size());
  }

  @Test
  void writesAreRepeatedUnderOneKey() {
    new Content(caller).write(WriteContentRequest.newBuilder().setUri("a").setContent("").build());
    assertEquals(3, heard.size());
    assertEquals(1, heard.stream().distinct().count());
    assertTrue(heard.get(0).length() > 20);
  }

  @Test
  void writesWithoutAKeyAreNotRepeated() {
    CtxdbException error = assertThrows(CtxdbException.class, () -> new Fs(caller).mkdir("a"));
    assertEquals("UNAVAILABLE", error.code());
    assertTrue(error.requestId().isPresent());
    assertEquals(1, heard.size());
  }

  @Test
  void aCallTakesNoPauseThatWouldOutlastItsDeadline() {
    Caller hurried = caller.with(Limits.DEFAULT.withDeadline(Duration.ofMillis(50)));
    CtxdbException error = assertThrows(CtxdbException.class, () -> new Fs(hurried).stat("a"));
    assertEquals("UNAVAILABLE", error.code());
    assertEquals(1, heard.size());
  }

  private <A> void answer(String what, A message, StreamObserver<A> observer) {
    heard.add(what);
    if (heard.size() < 3) {
      observer.onError(Status.UNAVAILABLE.withDescription("full").asRuntimeException());
      return;
    }
    observer.onNext(message);
    observer.onCompleted();
  }

  private final class Tree extends FilesystemServiceImplBase {
    @Override
    public void statNode(StatNodeRequest request, StreamObserver<StatNodeResponse> observer) {
      answer("stat", StatNodeResponse.newBuilder().setName(request.getUri()).build(), observer);
    }

    @Override
    public void makeDirectory(MakeDirectoryRequest request, StreamObserver<MakeDirectoryResponse> observer) {
      answer("mkdir", MakeDirectoryResponse.getDefaultInstance(), observer);
    }
  }

  private final class Contents extends ContentServiceImplBase {
    @Override
    public void writeContent(WriteContentRequest request, StreamObserver<WriteContentResponse> observer) {
      answer(request.getIdempotencyKey(), WriteContentResponse.getDefaultInstance(), observer);
    }
  }
}
