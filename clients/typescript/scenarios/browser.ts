// Runs the scenarios in a page; scenarios/chromium.ts bundles it and starts it by `runInPage`.

import type { Client } from "../src/client.ts";
import { AddResourceRequestSchema } from "../src/gen/ctxdb/v1/resource_pb.ts";
import type { UploadOptions } from "../src/upload.ts";
import { connect } from "../src/web.ts";
import { zipOf } from "../src/zip.ts";
import { fieldsOf, type Platform } from "./ops.ts";
import { runScenarios } from "./run.ts";
import { patternBytes, type ScenarioList } from "./scenario.ts";

/** Input of the page, and where its output goes. */
interface PageRun {
  readonly list: ScenarioList;
  readonly address: string;
  readonly rootKey: string;
  readonly print: (line: string) => void;
}

/** Local files as a page has them: blobs by path. Links do not exist there, hidden and ignored files are left out by whoever picks them. */
class PickedFiles implements Platform<Client> {
  readonly #files = new Map<string, Blob>();

  constructor(files: ScenarioList["files"]) {
    for (const [path, content] of Object.entries(files)) {
      if (typeof content === "string") this.#files.set(path, new Blob([content]));
      else if ("bytes" in content) this.#files.set(path, new Blob([patternBytes(content.bytes)]));
    }
  }

  upload(client: Client, path: string, options: UploadOptions) {
    return client.resources.upload(this.#fileOf(path), this.#cancelling(options));
  }

  addPath(
    client: Client,
    path: string,
    args: Parameters<Platform<Client>["addPath"]>[2],
    options: UploadOptions,
  ) {
    const file = this.#files.has(path)
      ? this.#fileOf(path)
      : { name: `${path}.zip`, bytes: () => this.#zipOf(path) };
    return client.resources.addFile(file, fieldsOf(AddResourceRequestSchema, args), options);
  }

  async keep(name: string | undefined, bytes: AsyncIterable<Uint8Array>) {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for await (const piece of bytes) pieces.push(piece as Uint8Array<ArrayBuffer>);
    const blob = new Blob(pieces);
    if (name !== undefined) this.#files.set(name, blob);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer()));
    return {
      size: blob.size,
      sha256: Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join(""),
    };
  }

  #fileOf(path: string): File {
    const blob = this.#files.get(path);
    if (!blob) throw new Error(`no file is called ${path}`);
    return new File([blob], path.slice(path.lastIndexOf("/") + 1));
  }

  async *#zipOf(folder: string) {
    const inside = [...this.#files.keys()].filter((path) => path.startsWith(`${folder}/`));
    const picked = inside.filter((path) => !/\/(\.|node_modules\/|ignored)/.test(path));
    yield* zipOf(zipInputs(picked.map((path) => [path.slice(folder.length + 1), this.#files.get(path)!])));
  }

  /**
   * fetch does not report upload progress, so a call that must be interrupted is cancelled as soon as it runs
   */
  #cancelling(options: UploadOptions): UploadOptions {
    if (options.signal) setTimeout(() => options.onSent?.(Number.POSITIVE_INFINITY), 0);
    return options;
  }
}

async function* zipInputs(files: readonly (readonly [path: string, blob: Blob])[]) {
  for (const [path, blob] of files) yield { path, modified: new Date(), bytes: () => piecesOf(blob) };
}

async function* piecesOf(blob: Blob): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(await blob.arrayBuffer());
}

export const runInPage = ({ list, ...run }: PageRun): Promise<number> =>
  runScenarios({ ...run, list, connect, platform: new PickedFiles(list.files) });
