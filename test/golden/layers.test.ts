/**
 * Snapshots of the layers of a corpus, which were reviewed by hand: `documents.md` and `directories.md`.
 * After a change to the generation of layers, update them with `npx vitest run test/golden -u` and read the
 * differences.
 */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workspaceId } from "../../src/domain/ids.ts";
import type { Children, LayerChild } from "../../src/enrich/directory/child-lines.ts";
import { READ_ABSTRACTS } from "../../src/enrich/directory/children.ts";
import { directoryLayers } from "../../src/enrich/directory/directory-layers.ts";
import { fileLayers } from "../../src/enrich/file-layers.ts";
import type { Layers } from "../../src/enrich/layers.ts";
import { parseHere } from "../support/parse-here.ts";

const FOLDER = join(import.meta.dirname, "documents");

async function documents(): Promise<Map<string, Layers>> {
  const found = new Map<string, Layers>();
  for (const name of (await readdir(FOLDER)).sort()) {
    const bytes = await readFile(join(FOLDER, name));
    found.set(
      name,
      fileLayers(await parseHere(name, bytes, { workspace: workspaceId(1), hash: name }), name),
    );
  }
  return found;
}

const shown = (name: string, { abstract, overview }: Layers): string =>
  `## ${name}\n\nL0: ${abstract}\n\nL1:\n\n${overview.replace(/^/gm, "    ").replace(/[ ]+$/gm, "")}\n`;

/**
 * Directories by name, with the names of their children; a name that ends in `/` is another directory of the
 * list.
 */
const DIRECTORIES: Readonly<Record<string, readonly string[]>> = {
  "source-code": ["best-keys.ts", "helpers.js", "queue.go", "sessions.py", "backup.sh"],
  guides: ["guide-caching.mdx", "guide-hugo.md", "retries.md"],
  reference: ["reference-agent.md", "reference-errors.rst"],
  languages: ["changjiang.md", "recette.md", "sakura.txt", "urlaubsantrag.md", "vacaciones.md"],
  data: ["customers.csv", "events.jsonl", "feed.xml", "settings.toml", "tides.tsv"],
  conversations: ["irc.log", "support-chat.txt"],
  logs: ["server.log"],
  mail: ["invoice-reminder.eml"],
  website: ["page-opening-hours.html", "page-no-description.html"],
  notes: ["essay.txt", "meeting-notes.md", "todo.txt", "harbour.md"],
  tidebuf: ["package.json", "readme-tidebuf.md", "CHANGELOG.md", "LICENSE", "source-code/"],
  docs: ["guides/", "reference/"],
  project: ["docs/", "source-code/", "Dockerfile", "readme-wharf.md"],
  analysis: ["analysis.ipynb", "customers.csv"],
  api: ["openapi.yaml"],
  empty: [],
  lists: ["readme-list-only.md", "todo.txt", "empty.md"],
};

const LARGE = 5000;

/**
 * Reads a directory as layer generation does: the abstracts of the first children, only the names of the
 * others.
 */
const held = (children: readonly LayerChild[]): Children => ({
  shown: children.slice(0, READ_ABSTRACTS),
  more: children.slice(READ_ABSTRACTS).map(({ name }) => name),
  count: children.length,
});

function directories(files: ReadonlyMap<string, Layers>): Map<string, Layers> {
  const made = new Map<string, Layers>();
  const childOf = (name: string): LayerChild => {
    const isDirectory = name.endsWith("/");
    const plain = isDirectory ? name.slice(0, -1) : name;
    const { abstract = "", overview } = (isDirectory ? made : files).get(plain) ?? {};
    return { name: plain, isDirectory, abstract, overview };
  };
  for (const [name, children] of Object.entries(DIRECTORIES))
    made.set(name, directoryLayers(name, held(children.map(childOf))));
  const readme = {
    name: "README.md",
    isDirectory: false,
    abstract: files.get("readme-wharf.md")?.abstract ?? "",
  };
  made.set("wharf", directoryLayers("wharf", held([readme, childOf("queue.go"), childOf("Dockerfile")])));
  made.set("everything", directoryLayers("everything", held([...files.keys()].map(childOf))));
  const many = Array.from({ length: LARGE }, (_, i) => ({
    name: `ticket-${String(i + 1).padStart(4, "0")}.md`,
    isDirectory: false,
    abstract: `Ticket ${i + 1}: ${["The upload stops", "The login fails", "The invoice is wrong"][i % 3]}.`,
  }));
  made.set("tickets", directoryLayers("tickets", held(many)));
  return made;
}

test("the layers of documents of twelve kinds match the reviewed ones", async () => {
  const text = [...(await documents())].map(([name, layers]) => shown(name, layers)).join("\n");
  await expect(`# Layers of documents\n\n${text}`).toMatchFileSnapshot("documents.md");
});

test("the layers of twenty directories match the reviewed ones", async () => {
  const text = [...directories(await documents())].map(([name, layers]) => shown(name, layers)).join("\n");
  await expect(`# Layers of directories\n\n${text}`).toMatchFileSnapshot("directories.md");
});

test("abstracts are complete: no markup, no truncated sentence, at most 25 words", async () => {
  for (const [name, { abstract }] of await documents()) {
    expect(abstract, name).not.toMatch(/…|\.\.\.$|\]\(|<\/?[a-z]+>|^#|```/);
    expect(abstract.split(/\s+/).length, name).toBeLessThanOrEqual(25);
  }
});
