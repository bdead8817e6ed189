package dev.ctxdb.client;

import io.grpc.ChannelCredentials;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A connection to a server, with one group of operations for each noun. Safe for threads; opened by the first call.
 *
 * <p>Calls block. A blocked call is cancelled by interrupting its thread; {@link #async} makes a future of any call, and cancelling the future cancels
 * the call.
 */
public final class Ctxdb implements AutoCloseable {
  private static final long CLOSE_SECONDS = 5;

  private final ManagedChannel channel;
  private final ExecutorService threads;
  private final Caller caller;

  private Ctxdb(ManagedChannel channel, ExecutorService threads, Caller caller) {
    this.channel = channel;
    this.threads = threads;
    this.caller = caller;
  }

  /** A connection with the defaults, to `host:port`, `http://host:port` or `https://host:port`. */
  public static Ctxdb connect(String address) {
    return builder(address).connect();
  }

  /** A connection with a key, an agent, or other limits. */
  public static Builder builder(String address) {
    return new Builder(address);
  }

  /** The same connection with another deadline for each call, transfers and waits included. Closing either closes both. */
  public Ctxdb withDeadline(Duration deadline) {
    return new Ctxdb(channel, threads, caller.with(caller.limits.withDeadline(deadline)));
  }

  /** Runs calls in another thread. Cancelling the future cancels the running call. */
  public <T> CompletableFuture<T> async(Callable<T> calls) {
    Context.CancellableContext context = Context.current().withCancellation();
    CompletableFuture<T> future = new CompletableFuture<>();
    future.whenComplete((value, failed) -> context.cancel(null));
    threads.execute(context.wrap(() -> {
      try {
        future.complete(calls.call());
      } catch (Throwable failed) {
        // an Error too, because nothing else would end the wait for the future
        future.completeExceptionally(failed);
      }
    }));
    return future;
  }

  /** Imports of files, folders, archives, web pages and repositories. */
  public Resources resources() {
    return new Resources(caller);
  }

  /** Skills of agents. */
  public Skills skills() {
    return new Skills(caller);
  }

  /** The tree of files and folders. */
  public Fs fs() {
    return new Fs(caller);
  }

  /** The three layers of a node. */
  public Content content() {
    return new Content(caller);
  }

  /** Search by meaning, by regular expression and by name. */
  public Search search() {
    return new Search(caller);
  }

  /** Relations: directed links between URIs. */
  public Relations relations() {
    return new Relations(caller);
  }

  /** Conversations, from which memories are extracted. */
  public Sessions sessions() {
    return new Sessions(caller);
  }

  /** Single memories extracted from conversations. */
  public Memories memories() {
    return new Memories(caller);
  }

  /** Files and folders in one archive. */
  public Packs packs() {
    return new Packs(caller);
  }

  /** Tasks: work that continues after the call that started it. */
  public Tasks tasks() {
    return new Tasks(caller);
  }

  /** Changes of files and folders. */
  public Changes changes() {
    return new Changes(caller);
  }

  /** Trash: deleted and replaced files and folders, until they expire. */
  public Trash trash() {
    return new Trash(caller);
  }

  /** Snapshots: named states of folders that can be listed, read, compared and restored. */
  public Snapshots snapshots() {
    return new Snapshots(caller);
  }

  /** Webhooks: URLs to which the server sends changes of files and folders. */
  public Webhooks webhooks() {
    return new Webhooks(caller);
  }

  /** Access: grants and groups. */
  public Access access() {
    return new Access(caller);
  }

  /** The server, and waiting for the queues. */
  public SystemGroup system() {
    return new SystemGroup(caller);
  }

  /** State of the server's components. */
  public Observer observer() {
    return new Observer(caller);
  }

  /** Accounts, users and keys. */
  public Admin admin() {
    return new Admin(caller);
  }

  /** Lets running calls end for up to five seconds, then cancels them. */
  @Override
  public void close() {
    threads.shutdown();
    channel.shutdown();
    try {
      channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      channel.shutdownNow();
    }
  }

  /** Address of a server, and the identity to use. */
  public static final class Builder {
    private final String address;
    private final Metadata headers = new Metadata();
    private Limits limits = Limits.DEFAULT;
    private Path tlsRoots;

    private Builder(String address) {
      this.address = address;
    }

    /** API key. */
    public Builder key(String key) {
      return header("x-api-key", key);
    }

    /** The agent whose spaces and memories are used. Default: "default". */
    public Builder agent(String agent) {
      return header("x-ctx-agent", agent);
    }

    /** Acts in this account; only with the root key, and with servers without keys. */
    public Builder account(String account) {
      return header("x-ctx-account", account);
    }

    /** Acts as this user; only with the root key, and with servers without keys. */
    public Builder user(String user) {
      return header("x-ctx-user", user);
    }

    /** Time limit of a call, including retries. Default: 60 s; for transfers and waits 600 s. */
    public Builder deadline(Duration deadline) {
      limits = limits.withDeadline(deadline);
      return this;
    }

    /** How often a safe call is retried. Default: 3. */
    public Builder retries(int retries) {
      limits = limits.withRetries(retries);
      return this;
    }

    /** Trusts the certificates of this file (PEM) instead of those that the system trusts. */
    public Builder tlsRoots(Path pem) {
      tlsRoots = pem;
      return this;
    }

    /** INVALID_ARGUMENT for an address or option that cannot be used. */
    public Ctxdb connect() {
      Address server = Address.parse(address);
      ManagedChannel channel = Grpc.newChannelBuilderForAddress(server.host(), server.port(), credentials(server.isSecure())).userAgent("ctxdb-java").build();
      ExecutorService threads = Executors.newCachedThreadPool(Builder::thread);
      return new Ctxdb(channel, threads, new Caller(channel, headers, limits));
    }

    private ChannelCredentials credentials(boolean isSecure) {
      if (!isSecure) return InsecureChannelCredentials.create();
      if (tlsRoots == null) return TlsChannelCredentials.create();
      try (var pem = Files.newInputStream(tlsRoots)) {
        return TlsChannelCredentials.newBuilder().trustManager(pem).build();
      } catch (IOException failed) {
        throw CtxdbException.invalid("tlsRoots", tlsRoots + ": " + failed.getMessage(), failed);
      }
    }

    private Builder header(String name, String value) {
      if (!value.matches("[\\x20-\\x7e]*")) throw CtxdbException.invalid(name, "must be printable ASCII", null);
      headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
      return this;
    }

    private static Thread thread(Runnable work) {
      Thread thread = new Thread(work, "ctxdb-async");
      thread.setDaemon(true);
      return thread;
    }
  }
}
