/** Main module of the child process that searches indexes. */
import { readFile } from "node:fs/promises";
import { answerCalls, BytesAnswer } from "../../base/processes/answer-calls.ts";
import { sha256 } from "../../base/sha256.ts";
import { type FaissIndex, readIndex } from "./addon.ts";
import type { AnswerCall, Loaded } from "./protocol.ts";

const indexes = new Map<string, FaissIndex>();

answerCalls<AnswerCall>((call) => {
  if (call.do === "load") return load(call.path, call.hash);
  if (call.do === "search") return search(call.path, call.query, call.count);
  return indexes.delete(call.path);
});

async function load(path: string, hash: string): Promise<Loaded> {
  const content = await readFile(path);
  // verify the hash first: a damaged file can crash the process
  if (sha256(content) !== hash) throw new Error("the file of an index is damaged");
  const index = readIndex(path);
  indexes.set(path, index);
  return { vectors: index.ntotal(), dimensions: index.getDimension(), bytes: content.byteLength };
}

function search(path: string, query: Float32Array, count: number): BytesAnswer {
  const index = indexes.get(path);
  if (!index) throw new Error("the index is not loaded");
  if (query.length !== index.getDimension() || !query.every(Number.isFinite))
    throw new Error("the query does not fit the index");
  const { labels } = index.search(Array.from(query), Math.min(count, index.ntotal()));
  const places = Uint32Array.from(labels.filter((label) => label >= 0));
  return new BytesAnswer(new Uint8Array(places.buffer));
}
