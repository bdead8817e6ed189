/** A remote embedding model that knows nothing: vectors of 384 numbers that follow from the text, by the API of OpenAI. Prints its port. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

const DIMENSIONS = 384;
const DIGITS = 3;

function vectorOf(text: string): number[] {
  let state = 7;
  for (let i = 0; i < text.length; i++) state = (Math.imul(state, 31) + text.charCodeAt(i)) >>> 0;
  return Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Number((state / 2 ** 31 - 1).toFixed(DIGITS));
  });
}

const server = createServer(async (request, response) => {
  const { input } = (await json(request)) as { input: string | string[] };
  const data = [input].flat().map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) }));
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ object: "list", data, usage: { prompt_tokens: data.length, total_tokens: data.length } }));
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
