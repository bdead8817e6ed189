import { createHash } from "node:crypto";
import { appendFile, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, openApp } from "../../src/app/app.ts";
import { packageRoot } from "../../src/base/package-root.ts";
import { configFrom } from "../../src/config/config.ts";
import { silentLog } from "../support/silent-log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/**
 * Number of README files of installed packages that are imported together with our own documents: texts that
 * were not written for this test.
 */
const PACKAGES = 300;
const MIN_CHARACTERS = 300;
const MAX_CHARACTERS = 200_000;
/** Share of the files that must be among the first three hits for one of their own sentences. */
const SHARE = 0.95;

const PROSE = /^[A-Z][^`[\]<>{}=|\\]{48,218}[.!?]$/;

/** Sentences of prose from the middle half of a text. */
function middleSentences(text: string): string[] {
  const plain = text.replace(/```.*?```|~~~.*?~~~|<!--.*?-->/gs, "\n\n");
  const paragraphs = plain
    .split(/\n\s*\n/)
    .filter((paragraph) => !/^\s*(?:[#>|<![*+\-=`\d:]|https?:)/.test(paragraph) && !paragraph.includes("|"));
  const sentences = paragraphs.flatMap((paragraph) =>
    paragraph
      .replace(/\s+/g, " ")
      .trim()
      .split(/(?<=[.!?])\s+/),
  );
  const good = sentences.filter(
    (sentence) =>
      PROSE.test(sentence) &&
      !/https?:/.test(sentence) &&
      (sentence.match(/[A-Za-z]{3,}/g)?.length ?? 0) >= 8,
  );
  return good.slice(Math.floor(good.length / 4), Math.max(1, Math.ceil((good.length * 3) / 4)));
}

/**
 * A folder with our documents and real README files under new names, and the texts by name without extension.
 */
async function gather(folder: string): Promise<Map<string, string>> {
  const root = packageRoot(import.meta.url);
  const texts = new Map<string, string>();
  await cp(join(root, "docs"), join(folder, "docs"), { recursive: true });
  for (const name of await readdir(join(root, "docs")))
    if (name.endsWith(".md")) texts.set(name.slice(0, -3), await readFile(join(root, "docs", name), "utf8"));
  const seen = new Set<string>();
  const found = await readdir(join(root, "node_modules"), { recursive: true });
  for (const path of found.filter((one) => /(?:^|\/)readme\.md$/i.test(one)).sort()) {
    if (texts.size >= PACKAGES + 5) break;
    const text = await readFile(join(root, "node_modules", path), "utf8");
    const digest = createHash("sha256").update(text.replace(/\s+/g, " ")).digest("hex");
    if (seen.has(digest) || text.length < MIN_CHARACTERS || text.length > MAX_CHARACTERS) continue;
    seen.add(digest);
    const name = path
      .replace(/\/?readme\.md$/i, "")
      .replace(/[^a-z0-9]+/gi, "-")
      .toLowerCase();
    if (texts.has(name)) continue;
    texts.set(name, text);
    const shelf = join(folder, `shelf-${texts.size % 12}`);
    await mkdir(shelf, { recursive: true });
    await writeFile(join(shelf, `${name}.md`), text);
  }
  return texts;
}

describe("a newcomer's folder", () => {
  let app: App;
  let folder: string;
  let texts: Map<string, string>;
  let base: string;

  const post = async (path: string, body: object) => {
    const answer = await fetch(`${base}/api/v1${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const { status, result, error } = (await answer.json()) as {
      status: string;
      result: never;
      error?: object;
    };
    expect(error ?? status).toBe("ok");
    return result as Record<string, never>;
  };
  const embedded = async () =>
    Number(/^ctxdb_embedded_texts_total (\d+)/m.exec(await (await fetch(`${base}/metrics`)).text())?.[1]);
  /**
   * Returns the rank of a file among the hits for a sentence, or 0 if it is not among ten. A section or layer
   * counts as its file.
   */
  const rankOf = async (name: string, query: string) => {
    const { resources } = (await post("/search/find", { query })) as unknown as {
      resources: { uri: string }[];
    };
    return (
      resources.findIndex(({ uri }) =>
        uri.split("/").some((part) => part === name || part === `${name}.md`),
      ) + 1
    );
  };
  const add = (wait: boolean, to: string) => post("/resources", { path: folder, to, wait });

  beforeAll(async () => {
    folder = (await temporaryFolder()).path;
    const env = {
      CTXDB_PORT: "0",
      CTXDB_DATA_DIR: (await temporaryFolder()).path,
      CTXDB_EMBEDDING_PROVIDER: "light",
    };
    const config = configFrom(env, { folder: ".", read: () => undefined });
    texts = await gather(folder);
    app = await openApp(config, silentLog, "0.0.0");
    base = `http://${app.host}:${app.port}`;
  });
  afterAll(() => app.close());

  it("an imported folder is found by its own sentences, embeds each text once, and reflects changes", async () => {
    expect(texts.size).toBeGreaterThanOrEqual(PACKAGES);
    expect((await add(true, "ctx://resources/shelf")).status).toBe("success");
    let asked = 0;
    const missed: string[] = [];
    const flat = [...texts.values()].map((text) => text.replace(/\s+/g, " "));
    const isUnique = (sentence: string) => flat.filter((text) => text.includes(sentence)).length === 1;
    for (const [name, text] of texts) {
      const sentence = middleSentences(text).find(isUnique);
      if (!sentence) continue;
      asked++;
      const rank = await rankOf(name, sentence);
      if (rank < 1 || rank > 3) missed.push(`${rank}: ${name}: ${sentence}`);
    }
    expect(asked).toBeGreaterThan(texts.size / 2);
    expect(missed.length / asked, missed.join("\n")).toBeLessThanOrEqual(1 - SHARE);

    const before = await embedded();
    await add(true, "ctx://resources/shelf");
    expect(await embedded()).toBe(before);

    const [changed] = (await readdir(join(folder, "shelf-1"))).sort();
    await appendFile(
      join(folder, "shelf-1", changed!),
      "\nThe keeper of Quonmarra counts his zilvertoons at dusk.\n",
    );
    await add(true, "ctx://resources/shelf");
    expect(await rankOf(changed!.replace(/\.md$/, ""), "zilvertoons of Quonmarra")).toBe(1);
    // its own chunks, and both layers of its parent directories
    const own = (texts.get(changed!.replace(/\.md$/, ""))!.length / 200) | 0;
    expect((await embedded()) - before).toBeLessThanOrEqual(own + 12);
  }, 240_000);

  it("an import can be found by the next call without waiting", async () => {
    const { path: late } = await temporaryFolder();
    const words = Array.from({ length: 50 }, (_, i) => `xenolith${i}quartz`);
    await Promise.all(
      words.map((word, i) =>
        writeFile(join(late, `note-${i}.md`), `# Note ${i}\n\nThe ${word} lies in drawer ${i}.\n`),
      ),
    );
    await post("/resources", { path: late, to: "ctx://resources/late" });
    const ranks: number[] = [];
    for (const [i, word] of words.entries()) ranks.push(await rankOf(`note-${i}`, `where is the ${word}?`));
    expect(ranks.filter((rank) => rank < 1 || rank > 3)).toEqual([]);
  }, 60_000);
});
