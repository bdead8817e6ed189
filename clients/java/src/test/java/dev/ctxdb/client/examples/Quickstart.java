package dev.ctxdb.client.examples;

import dev.ctxdb.client.Ctxdb;
import dev.ctxdb.client.Values;
import dev.ctxdb.v1.AddMessageRequest;
import dev.ctxdb.v1.AddResourceRequest;
import dev.ctxdb.v1.AddResourceResponse;
import dev.ctxdb.v1.FindRequest;
import dev.ctxdb.v1.MatchedContext;
import dev.ctxdb.v1.ReadContentRequest;
import dev.ctxdb.v1.WaitProcessedRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Searches a folder, and recalls a memory: {@code mvn -q -B exec:java [-Dexec.args="ADDRESS KEY"]}. */
public final class Quickstart {
  private static final String HARBOUR = "# Harbour\n\nThe harbour of Lisbon opens at six in the morning. The pilot boat leaves at seven.\n";
  private static final String KITCHEN = "# Kitchen\n\nThe kettle stands beside the stove. Tea is kept in the blue tin.\n";

  private Quickstart() {}

  public static void main(String[] arguments) throws IOException {
    Ctxdb.Builder builder = Ctxdb.builder(arguments.length > 0 ? arguments[0] : "http://127.0.0.1:1933");
    builder.user("quickstart-java"); // a separate user, so that its memories do not mix with others
    if (arguments.length > 1) builder.key(arguments[1]);
    try (Ctxdb db = builder.connect()) {
      addAndAsk(db);
      rememberAndRecall(db);
    }
  }

  private static void addAndAsk(Ctxdb db) throws IOException {
    Path folder = Files.createTempDirectory("quickstart");
    Files.writeString(folder.resolve("harbour.md"), HARBOUR);
    Files.writeString(folder.resolve("kitchen.md"), KITCHEN);
    AddResourceRequest.Builder place = AddResourceRequest.newBuilder().setTo("ctx://resources/quickstart-java").setWait(true);
    AddResourceResponse added = db.resources().addPath(folder, place.build());
    System.out.println("added       " + added.getRootUri());

    String question = "when does the harbour open?";
    FindRequest.Builder find = FindRequest.newBuilder().setQuery(question).setTargetUri(Values.of(added.getRootUri())).setLimit(1);
    MatchedContext hit = db.search().find(find.build()).getResources(0);
    System.out.println("asked       " + question);
    System.out.printf("found       %s (%.2f)%n", hit.getUri(), hit.getScore());
    ReadContentRequest line = ReadContentRequest.newBuilder().setUri(hit.getUri()).setOffset(2).setLimit(1).build();
    System.out.println("passage     " + db.content().read(line).content().strip());
  }

  private static void rememberAndRecall(Ctxdb db) {
    String session = db.sessions().create().getSessionId();
    AddMessageRequest.Builder message = AddMessageRequest.newBuilder().setSessionId(session).setRole("user");
    db.sessions().addMessage(message.setContent("My name is Ann. I prefer green tea, and our office is in Lisbon.").build());
    System.out.println("remembered  " + db.sessions().commit(session).getMemoriesExtracted() + " memories");

    // also until it is embedded
    db.system().await(WaitProcessedRequest.getDefaultInstance());
    MatchedContext memory = db.search().find("which tea does Ann prefer?").getMemories(0);
    System.out.println("recalled    " + memory.getMatch().strip().replaceAll("\\s+", " "));
  }
}
