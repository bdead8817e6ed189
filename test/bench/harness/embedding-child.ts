/**
 * A remote embedding model that only knows words, with the API of OpenAI. A text's vector of 384 numbers is
 * the sum of its words' vectors, which are derived from their letters. Texts that share words are close to
 * each other, as with real models. Prints its port.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

const DIMENSIONS = 384;
const DIGITS = 3;

const words = new Map<string, Float32Array>();

function vectorOf(text: string): number[] {
  const sum = new Float32Array(DIMENSIONS);
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    const vector = words.get(word) ?? vectorOfWord(word);
    words.set(word, vector);
    for (let i = 0; i < DIMENSIONS; i++) sum[i]! += vector[i]!;
  }
  return Array.from(sum, (value) => Number(value.toFixed(DIGITS)));
}

function vectorOfWord(word: string): Float32Array {
  let state = 7;
  for (let i = 0; i < word.length; i++) state = (Math.imul(state, 31) + word.charCodeAt(i)) >>> 0;
  return Float32Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

const server = createServer(async (request, response) => {
  const { input } = (await json(request)) as { input: string | string[] };
  const data = [input]
    .flat()
    .map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) }));
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(
    JSON.stringify({
      object: "list",
      data,
      usage: { prompt_tokens: data.length, total_tokens: data.length },
    }),
  );
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
