package dev.ctxdb.client.scenarios;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.ctxdb.client.Ctxdb;
import dev.ctxdb.client.CtxdbException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Drives the client through the scenarios that all clients share (clients/README.md). */
public final class Scenarios {
  private final String address = System.getenv("CTXDB_ADDRESS");
  private final JsonObject callers;
  private final Path folder;
  private final Variables variables = new Variables(System.getenv("CTXDB_ROOT_KEY"));
  private final Map<String, Ctxdb> connections = new HashMap<>();

  private Scenarios(JsonObject list) throws IOException {
    callers = list.getAsJsonObject("callers");
    folder = LocalFiles.write(list.getAsJsonObject("files"));
  }

  public static void main(String[] arguments) throws IOException {
    JsonObject list = JsonParser.parseString(Files.readString(Path.of(System.getenv("CTXDB_SCENARIOS")))).getAsJsonObject();
    Scenarios scenarios = new Scenarios(list);
    int passed = 0;
    int failed = 0;
    for (JsonElement element : list.getAsJsonArray("steps")) {
      JsonObject step = element.getAsJsonObject();
      JsonObject line = new JsonObject();
      line.add("step", step.get("id"));
      String problem = scenarios.problemOf(step);
      line.addProperty("ok", problem == null);
      if (problem == null) passed++;
      else failed++;
      if (problem != null) line.addProperty("message", problem);
      System.out.println(line);
    }
    System.out.println(passed + " passed, " + failed + " failed");
    System.exit(failed == 0 ? 0 : 1);
  }

  /** Why a step failed; null where it did not. */
  private String problemOf(JsonObject step) {
    try {
      run(step);
      return null;
    } catch (Mismatch | IOException | IllegalStateException problem) {
      return problem.getMessage();
    }
  }

  private void run(JsonObject step) throws IOException {
    JsonObject args = step.has("args") ? variables.filled(step.get("args")).getAsJsonObject() : new JsonObject();
    JsonObject expected = variables.filled(step.get("expect")).getAsJsonObject();
    Ctxdb db = connections.computeIfAbsent(step.get("as").getAsString(), this::connect);
    if (step.has("deadline")) db = db.withDeadline(Duration.ofMillis((long) (step.get("deadline").getAsDouble() * 1000)));
    Long cancelAfter = step.has("cancel_after_bytes") ? step.get("cancel_after_bytes").getAsLong() : null;
    JsonElement result;
    try {
      result = new Step(step.get("op").getAsString(), args, cancelAfter, folder).run(db);
    } catch (CtxdbException failure) {
      checkFailure(expected, found(failure));
      return;
    } catch (Step.Cancelled cancelled) {
      JsonObject error = new JsonObject();
      error.addProperty("error", "CANCELLED");
      checkFailure(expected, error);
      return;
    }
    if (!expected.has("result")) throw new Mismatch("expected " + expected + ", got " + result);
    Matching.check(expected.get("result"), result, "result");
    if (step.has("save")) variables.save(step.getAsJsonObject("save"), result);
  }

  private static void checkFailure(JsonObject expected, JsonObject error) {
    if (!expected.has("error")) throw new Mismatch("expected a result, got " + error);
    Matching.check(expected, error, "error");
  }

  private static JsonObject found(CtxdbException failure) {
    JsonObject error = new JsonObject();
    error.addProperty("error", failure.code());
    error.add("details", Messages.json(failure.details()));
    error.addProperty("message", failure.getMessage());
    failure.requestId().ifPresent(id -> error.addProperty("request_id", id));
    return error;
  }

  private Ctxdb connect(String name) {
    JsonObject caller = variables.filled(callers.get(name)).getAsJsonObject();
    Ctxdb.Builder builder = Ctxdb.builder(caller.has("address") ? caller.get("address").getAsString() : address);
    if (caller.has("key")) builder.key(caller.get("key").getAsString());
    if (caller.has("agent")) builder.agent(caller.get("agent").getAsString());
    if (caller.has("account")) builder.account(caller.get("account").getAsString());
    if (caller.has("user")) builder.user(caller.get("user").getAsString());
    if (caller.has("retries")) builder.retries(caller.get("retries").getAsInt());
    return builder.connect();
  }
}
