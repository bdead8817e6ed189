// Asks a running server through the stubs generated from proto/: npx tsx examples/find.ts QUESTION [URL]
// [API_KEY]
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { ErrorDetailSchema } from "../gen/ctxdb/v1/error_pb.ts";
import { SearchService } from "../gen/ctxdb/v1/search_pb.ts";

const [question, baseUrl = "http://127.0.0.1:1933", apiKey] = process.argv.slice(2);
if (!question) {
  console.error("usage: npx tsx examples/find.ts QUESTION [URL] [API_KEY]");
  process.exit(2);
}

const search: Client<typeof SearchService> = createClient(
  SearchService,
  createConnectTransport({ baseUrl, httpVersion: "2" }),
);
try {
  const headers = apiKey ? { "X-API-Key": apiKey } : {};
  const { memories, resources, skills } = await search.find({ query: question, limit: 3 }, { headers });
  for (const hit of [...memories, ...resources, ...skills].sort((a, b) => b.score - a.score)) {
    console.log(
      `${hit.score.toFixed(3)}  ${hit.uri}\n       ${hit.match.replace(/\s+/g, " ").slice(0, 160)}`,
    );
  }
} catch (thrown) {
  const error = ConnectError.from(thrown);
  const [detail] = error.findDetails(ErrorDetailSchema);
  console.error(detail ? `${detail.code}: ${detail.message}` : `${Code[error.code]}: ${error.rawMessage}`);
  process.exit(1);
}
