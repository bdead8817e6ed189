// Imports a small folder, searches it, reads the passage, and stores a memory: npm run quickstart [-- ADDRESS
// [KEY]]
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CtxdbError, connect } from "../src/node.ts";

const [address = "http://127.0.0.1:1933", key] = process.argv.slice(2);
// a separate user, so that its memories do not mix with others
const client = connect(address, { key, user: "quickstart-typescript" });
const folder = await mkdtemp(join(tmpdir(), "ctxdb-quickstart-"));
try {
  const notes = join(folder, "harbour-notes");
  await mkdir(notes);
  await writeFile(
    join(notes, "lighthouse.md"),
    "# Lighthouse\n\nThe keeper trims the lamp at dusk and logs every ship that passes.\n",
  );
  await writeFile(
    join(notes, "tides.md"),
    "# Tides\n\nThe spring tide covers the lower quay twice a month.\n",
  );

  // without `wait` the call returns early, and the task reports the progress
  const added = await client.resources.addPath(notes);
  if (added.taskId) await client.tasks.wait({ taskId: added.taskId });
  console.log(`added      ${added.rootUri}`);

  const question = "when is the lamp trimmed?";
  const { resources } = await client.search.find({ query: question, targetUri: added.rootUri, limit: 1 });
  console.log(`asked      ${question}`);
  for (const hit of resources) {
    console.log(`found      ${hit.uri}`);
    const { content } = await client.content.read({ uri: hit.uri, offset: 2, limit: 1 });
    console.log(`read       ${content.trim()}`);
  }

  const { sessionId } = await client.sessions.create();
  await client.sessions.addMessage({
    sessionId,
    role: "user",
    content: "My name is Ann. I prefer green tea in the afternoon.",
  });
  const { memoriesExtracted } = await client.sessions.commit({ sessionId });
  console.log(`remembered ${memoriesExtracted} things`);

  // until it is embedded, too
  await client.system.wait();
  const { memories } = await client.search.find({
    query: "which tea does Ann prefer?",
    targetUri: "ctx://user",
    limit: 1,
  });
  console.log(`recalled   ${memories[0]?.match.replace(/\s+/g, " ").trim()}`);
} catch (error) {
  if (!(error instanceof CtxdbError)) throw error;
  console.error(String(error));
  process.exitCode = 1;
} finally {
  client.close();
  await rm(folder, { recursive: true, force: true });
}
