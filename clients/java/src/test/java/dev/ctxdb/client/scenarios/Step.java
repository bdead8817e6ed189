package dev.ctxdb.client.scenarios;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.ctxdb.client.Ctxdb;
import dev.ctxdb.client.Download;
import dev.ctxdb.client.Text;
import dev.ctxdb.client.UploadOptions;
import dev.ctxdb.v1.AddResourceRequest;
import dev.ctxdb.v1.DownloadContentRequest;
import dev.ctxdb.v1.ExportPackRequest;
import dev.ctxdb.v1.GlobRequest;
import dev.ctxdb.v1.ReadContentRequest;
import dev.ctxdb.v1.Task;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** One step of the list; `cancelAfter` is null where nothing is cancelled. */
record Step(String op, JsonObject args, Long cancelAfter, Path folder) {
  private static final Gson GSON = new Gson();

  /** The caller itself has cancelled. */
  static final class Cancelled extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  JsonElement run(Ctxdb db) throws IOException {
    JsonElement answer = Calls.run(op, db, args);
    if (answer != null) return answer;
    return switch (op) {
      case "content.read" -> read(db);
      case "content.download" -> received(db.content().download(without("to", DownloadContentRequest.getDefaultInstance())));
      case "packs.export" -> received(db.packs().exportPack(without("to", ExportPackRequest.getDefaultInstance())));
      case "resources.add_path" -> Messages.json(db.resources().addPath(path(), without("path", AddResourceRequest.getDefaultInstance())));
      case "resources.upload" -> upload(db);
      case "search.glob_all" -> of("items", GSON.toJsonTree(db.search().globAll(Messages.request(GlobRequest.getDefaultInstance(), args)).toList()));
      case "system.health" -> of("healthy", GSON.toJsonTree(db.system().health()));
      case "tasks.wait" -> await(db);
      default -> throw new Mismatch("no operation " + op);
    };
  }

  private JsonElement read(Ctxdb db) {
    Text text = db.content().read(Messages.request(ReadContentRequest.getDefaultInstance(), args));
    JsonObject result = of("content", GSON.toJsonTree(text.content()));
    result.addProperty("etag", text.etag());
    return result;
  }

  private JsonElement await(Ctxdb db) {
    JsonArray progress = new JsonArray();
    Task task = db.tasks().await(args.get("task_id").getAsString(), heard -> progress.add(GSON.toJsonTree(heard)));
    JsonObject result = of("task", Messages.json(task));
    result.add("progress", progress);
    return result;
  }

  /** Cancelled by its future, once enough has been handed over. */
  private JsonElement upload(Ctxdb db) {
    CountDownLatch enough = new CountDownLatch(1);
    UploadOptions options = new UploadOptions(null, null, sent -> {
      if (cancelAfter != null && sent >= cancelAfter) enough.countDown();
    });
    if (cancelAfter == null) return Messages.json(db.resources().upload(path(), options));
    CompletableFuture<?> upload = db.async(() -> db.resources().upload(path(), options));
    try {
      enough.await();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
    if (!upload.cancel(true)) throw new Mismatch("the upload had ended before it was cancelled");
    throw new Cancelled();
  }

  private JsonElement received(Download download) throws IOException {
    MessageDigest hash = sha256();
    long size = 0;
    try (download; OutputStream out = args.has("to") ? Files.newOutputStream(folder.resolve(args.get("to").getAsString())) : OutputStream.nullOutputStream()) {
      while (download.hasNext()) {
        ByteString piece = download.next();
        size += piece.size();
        hash.update(piece.asReadOnlyByteBuffer());
        piece.writeTo(out);
        if (cancelAfter != null && size >= cancelAfter) throw new Cancelled();
      }
    }
    JsonObject result = of("content_type", GSON.toJsonTree(download.contentType()));
    result.addProperty("size", size);
    result.addProperty("sha256", HexFormat.of().formatHex(hash.digest()));
    return result;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private Path path() {
    return folder.resolve(args.get("path").getAsString());
  }

  /** The request of an operation with an argument of its own. */
  private <Q extends Message> Q without(String own, Q prototype) {
    JsonObject rest = args.deepCopy();
    rest.remove(own);
    return Messages.request(prototype, rest);
  }

  private static JsonObject of(String name, JsonElement value) {
    JsonObject object = new JsonObject();
    object.add(name, value);
    return object;
  }
}
