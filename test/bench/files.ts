import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TextIndex } from "../../src/enrich/text-index.ts";
import { openEmbedders } from "../../src/providers/open.ts";
import { silentLog } from "../support/silent-log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { Api } from "./harness/api.ts";
import { Corpus } from "./harness/corpus.ts";
import { type Bench, median, ms, perSecond } from "./harness/figure.ts";
import { REPOSITORY, startServer } from "./harness/server.ts";

const FILES = 500;
const WORDS = 200;
const ROUNDS = 3;
const UNCHANGED_SECONDS = 0.3;

interface Added {
  readonly status: string;
  readonly errors: readonly string[];
}

export const files: Bench = {
  name: "files",
  title: `import of a folder of abstracts of ${WORDS} words with wait: stored, found, layers made, durable`,
  async run({ quick }) {
    const count = quick ? 50 : FILES;
    const server = await startServer();
    const folder = await temporaryFolder();
    try {
      const corpus = new Corpus();
      const texts = Array.from({ length: count }, () => corpus.text(WORDS));
      await Promise.all(texts.map((text, i) => writeFile(join(folder.path, `abstract-${i}.txt`), text)));
      const api = await Api.open(server.port);
      const rates: number[] = [];
      const bare: number[] = [];
      const index = new TextIndex(openEmbedders("light", join(REPOSITORY, "models"), silentLog).instant);
      // the first round is a warm-up
      for (let round = 0; round <= (quick ? 1 : ROUNDS); round++) {
        const imported = await timed(() => add(api, folder.path, round));
        const alone = await timed(async () => {
          for (const text of texts) await index.ofText(text, { title: "abstract", kind: "text" });
        });
        if (round === 0) continue;
        rates.push(count / imported);
        bare.push(count / alone);
      }
      const again: number[] = [];
      for (let round = 0; round < ROUNDS; round++) again.push(await timed(() => add(api, folder.path, 1)));
      const unchanged = median(again);
      api.close();
      const [rate, beside] = [median(rates), median(bare)];
      return [
        {
          what: `${count} files, found and complete`,
          measured: perSecond(rate),
          beside: `chunks, terms and vectors of the same texts, in a loop: ${perSecond(beside)}`,
          ratio: rate / beside,
          expected: "≥ 300/s",
          met: rate >= 300,
        },
        {
          what: `${count} files that did not change`,
          measured: ms(unchanged * 1000),
          expected: "≤ .3 s",
          met: unchanged <= UNCHANGED_SECONDS,
        },
      ];
    } finally {
      await server.stop();
      await folder.remove();
    }
  },
};

async function add(api: Api, path: string, round: number): Promise<void> {
  const { status, errors } = await api.post<Added>("/api/v1/resources", {
    path,
    to: `ctx://resources/abstracts-${round}`,
    wait: true,
  });
  if (status !== "success") throw new Error(errors.join("; "));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
