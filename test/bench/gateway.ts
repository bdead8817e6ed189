import { Agent, type IncomingMessage, request } from "node:http";
import { answersByApi, type ChatProvider, chatProvider } from "../support/chat-provider.ts";
import { Api, write } from "./harness/api.ts";
import { Corpus } from "./harness/corpus.ts";
import { type Bench, type Figure, ms, spreadOf } from "./harness/figure.ts";
import { startServer } from "./harness/server.ts";

const FILES = 2000;
const WORDS = 60;
const WAIT_SECONDS = 120;
const CONVERSATIONS = 20;
const TURNS = 12;
/** Targets in ms for the latency that the gateway adds to a turn with recall and capture. */
const MOST_ADDED_MS = 10;

interface Times {
  readonly first: number[];
  readonly whole: number[];
}

const times = (): Times => ({ first: [], whole: [] });
const agent = new Agent({ keepAlive: true });

export const gateway: Bench = {
  name: "gateway",
  title: `turns of conversations through the gateway over ${FILES.toLocaleString("en-US")} files, beside the scripted provider asked directly; one after the other`,
  async run({ quick }) {
    const provider = await chatProvider();
    provider.script = (asked, response) => {
      provider.requests.length = 0;
      return answersByApi(asked, response);
    };
    const server = await startServer({ env: { CTXDB_GATEWAY_ANTHROPIC_URL: provider.url } });
    try {
      const corpus = new Corpus();
      const api = await Api.open(server.port, 8);
      const files = Array.from({ length: quick ? 100 : FILES }, (_, i) =>
        write(`ctx://resources/files/f${i % 40}/${i}.md`, `# ${corpus.text(4)}\n\n${corpus.text(WORDS)}\n`),
      );
      await api.all(files);
      // otherwise the layers of the files would be generated during the measurement
      await api.post("/api/v1/system/wait", { timeout: WAIT_SECONDS });
      api.close();
      const figures: Figure[] = [];
      for (const stream of [false, true])
        figures.push(...(await compared(provider, server.port, corpus, stream, quick)));
      return figures;
    } finally {
      agent.destroy();
      await server.stop();
      await provider.close();
    }
  },
};

/** Sends the same turns in all three ways, alternately, so that the machine's load affects all alike. */
async function compared(
  provider: ChatProvider,
  port: number,
  corpus: Corpus,
  stream: boolean,
  quick: boolean,
): Promise<Figure[]> {
  const [direct, passed, recalled] = [times(), times(), times()];
  const directPort = Number(new URL(provider.url).port);
  // the first conversation is a warm-up
  for (let conversation = 0; conversation <= (quick ? 2 : CONVERSATIONS); conversation++) {
    const messages: { role: string; content: string }[] = [];
    const session = { "x-ctxdb-session": `c${conversation}-${stream}` };
    const off = { "x-ctxdb-recall": "off", "x-ctxdb-capture": "off" };
    for (let turn = 0; turn < TURNS; turn++) {
      messages.push({ role: "user", content: corpus.text(12) });
      const body = JSON.stringify({ model: "m", max_tokens: 64, stream, messages });
      const path = "/v1/messages";
      const through = `/gateway/anthropic${path}`;
      const ways = [
        [direct, directPort, path, {}],
        [passed, port, through, off],
        [recalled, port, through, session],
      ] as const;
      for (const [into, to, at, headers] of ways) {
        const { first, whole } = await timed(to, at, headers, body);
        if (conversation === 0) continue;
        into.first.push(first);
        into.whole.push(whole);
      }
      messages.push({ role: "assistant", content: "Fine, noted." });
    }
  }
  const what = stream ? "streamed" : "plain";
  return (["first", "whole"] as const).flatMap((moment) => [
    figure(`${what}, ${moment} byte, passed on`, passed[moment], direct[moment]),
    figure(`${what}, ${moment} byte, recalled and captured`, recalled[moment], direct[moment]),
  ]);
}

function figure(what: string, measured: readonly number[], beside: readonly number[]): Figure {
  const [through, direct] = [spreadOf(measured), spreadOf(beside)];
  const added = through.p50 - direct.p50;
  return {
    what,
    measured: `p50 ${ms(through.p50)}, p95 ${ms(through.p95)}; ${ms(added)} added`,
    beside: `direct: p50 ${ms(direct.p50)}, p95 ${ms(direct.p95)}`,
    ratio: through.p50 / direct.p50,
    expected: `added ≤ ${MOST_ADDED_MS} ms`,
    met: added <= MOST_ADDED_MS,
  };
}

/** Returns the ms until the first byte of the body and until the end of the answer. */
async function timed(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ readonly first: number; readonly whole: number }> {
  const began = performance.now();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = {
      port,
      path,
      method: "POST",
      agent,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
    };
    request(asked, resolve).on("error", reject).end(body);
  });
  let first = 0;
  for await (const _ of answer) first ||= performance.now() - began;
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
  return { first, whole: performance.now() - began };
}
