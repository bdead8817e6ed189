import type { Log } from "../../base/log.ts";
import type {
  IndexFile,
  NeighbourCounts,
  NeighbourIndexes,
  OpenNeighbours,
  OpenOptions,
} from "../vectors/neighbours.ts";
import { BuildProcess } from "./build-process.ts";
import type { IndexFiles } from "./index-files.ts";
import { SearchProcess } from "./search-process.ts";

/** One thread: searches are short, and builds have low priority. */
const ENVIRONMENT = { OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" };

const moduleOf = (name: string): URL =>
  new URL(`./${name}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** FAISS indexes in two child processes that start on demand: one for searches, one for builds. */
export class FaissNeighbours implements NeighbourIndexes {
  readonly name = "faiss";
  readonly #answers: SearchProcess;
  readonly #builds: BuildProcess;
  readonly #files: IndexFiles;

  constructor(files: IndexFiles, log: Log) {
    const report = (error: Error) => log.warn({ err: error }, "index of neighbours");
    this.#files = files;
    this.#answers = new SearchProcess({ module: moduleOf("search-child"), env: ENVIRONMENT, report });
    this.#builds = new BuildProcess({ module: moduleOf("build-child"), env: ENVIRONMENT, files, report });
  }

  get counts(): NeighbourCounts {
    const restarts = [this.#answers, this.#builds].reduce(
      (sum, { starts }) => sum + Math.max(0, starts - 1),
      0,
    );
    return {
      builds: this.#builds.built,
      rows: this.#builds.rows,
      restarts,
      answers: this.#answers.answered,
      exact: this.#answers.exact,
    };
  }

  build(vectors: IndexFile & { readonly space: string }, signal: AbortSignal): Promise<string> {
    return this.#builds.build(vectors, signal);
  }

  open(options: OpenOptions): OpenNeighbours {
    return this.#answers.open(this.#files.pathOf(options.bucket, options.file), options);
  }

  async close(): Promise<void> {
    await Promise.all([this.#answers.stop(), this.#builds.stop()]);
  }
}
