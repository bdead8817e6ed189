import { append } from "../../base/append.ts";
import { itemAt, present } from "../../base/expect.ts";
import { loadOnce } from "../../base/load-once.ts";
import type { Log } from "../../base/log.ts";
import type { Trace } from "../../base/trace.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import { NO_WORKSPACE, type WorkspaceId } from "../../domain/ids.ts";
import { estimateTokens } from "../../domain/text/tokens.ts";
import { ConcurrencyLimit } from "../concurrency-limit.ts";
import { MAX_EMBED_TEXTS, type QueuedEmbedder } from "../embedding.ts";
import { ProviderFault } from "../fault.ts";
import { type CallPolicy, ProviderGuard, type Timing } from "../provider-guard.ts";
import type { ModelUse } from "../usage.ts";
import { type EmbedCall, loadEmbedCall, type Purpose, type RemoteModel } from "./embedding-model.ts";
import { assertInstalled } from "./sdk.ts";

/**
 * Maximum number of texts and of estimated tokens per request; larger responses would block the event loop
 * for too long.
 */
const TEXTS_PER_REQUEST = 32;
const TOKENS_PER_REQUEST = 8000;
/**
 * Maximum estimated tokens of a text: below 512, the usual window of a model. Chunks stay below it; long
 * queries are cut.
 */
const MAX_TEXT_TOKENS = 400;
const MAX_TEXT_LENGTH = 8 * MAX_TEXT_TOKENS;
const MAX_DIMENSIONS = 16_384;

/** Concurrency limits for documents and for queries. A query beyond them continues without a vector. */
const BULK = { requests: 4, waiting: 256, limitMs: 60_000, retries: 6, rests: 3 };
const QUERY = { requests: 16, waiting: 0, limitMs: 5000, retries: 0, rests: 0 };
const GUARDED = {
  name: "embedding provider",
  failed: "EMBEDDING_FAILED",
  meanwhile: "its work waits",
} as const;
/** A text that every model accepts: if it is refused, too, the texts are not the cause. */
const PROBE = "text";

export interface RemoteDeps {
  readonly log: Log;
  readonly timing: Timing;
  readonly trace: Trace;
  /** The dimensions of a space's vectors; records `found` if they are not known yet. */
  readonly dimensionsOf: (space: string, found: number) => Promise<number>;
  /** Called with the tokens reported by the provider. */
  readonly count: (workspace: WorkspaceId, use: ModelUse) => void;
}

/**
 * An embedding model with an OpenAI-compatible API or Google's. Loads and calls nothing before the first
 * text. Vectors are normalised. A response without exactly one finite vector of the right dimensions per text
 * is rejected as a whole. A text that the provider refuses gets a zero vector. All other faults are
 * UNAVAILABLE: jobs wait for the provider, searches use existing vectors. Throws StartError if a package is
 * missing.
 */
export function remoteEmbedder(model: RemoteModel, deps: RemoteDeps): QueuedEmbedder {
  assertInstalled(model.provider, "CTXDB_EMBEDDING_PROVIDER");
  return new RemoteEmbedder(model, deps);
}

/**
 * Name of the vector space: provider, model and requested dimensions. The model's revision is unknown. All
 * vectors have unit length.
 */
const spaceOf = ({ provider, model, dimensions }: RemoteModel): string =>
  `${provider}.${encodeURIComponent(model)}${dimensions === undefined ? "" : `@${dimensions}`}`;

/** Signal that ends a request, and the workspace that is charged for it. */
interface By {
  readonly signal: AbortSignal | undefined;
  readonly workspace: WorkspaceId;
}

class RemoteEmbedder implements QueuedEmbedder {
  readonly instant = false;
  readonly isUsable = true;
  readonly textsPerCall = TEXTS_PER_REQUEST;
  readonly #model: RemoteModel;
  readonly #deps: RemoteDeps;
  readonly #guard: ProviderGuard;
  readonly #log: Log;
  readonly #bulk: CallPolicy = { ...BULK, slots: new ConcurrencyLimit(BULK.requests, BULK.waiting) };
  readonly #query: CallPolicy = { ...QUERY, slots: new ConcurrencyLimit(QUERY.requests, QUERY.waiting) };
  readonly #loadCall: () => Promise<EmbedCall>;
  #dimensions: number | undefined;

  constructor(model: RemoteModel, deps: RemoteDeps) {
    this.#model = model;
    this.#loadCall = loadOnce(() => loadEmbedCall(model));
    this.#deps = deps;
    this.#dimensions = model.dimensions;
    this.#log = deps.log.child({ provider: model.provider, model: model.model });
    this.#guard = new ProviderGuard(GUARDED, deps.timing, this.#log);
  }

  /** The dimensions are 0 until known. */
  get space() {
    return { name: spaceOf(this.#model), dimensions: this.#dimensions ?? 0 };
  }

  knownShare(text: string): number {
    return isBlank(text) ? 0 : 1;
  }

  async embedQuery(text: string, signal?: AbortSignal, workspace = NO_WORKSPACE): Promise<Float32Array> {
    const asked = { signal, workspace };
    const [vector] = isBlank(text)
      ? [await this.#zeros(asked)]
      : await this.#request([fitted(text)], "query", this.#query, asked);
    return present(vector, "vector of the query");
  }

  async embed(
    texts: readonly string[],
    signal?: AbortSignal,
    workspace = NO_WORKSPACE,
  ): Promise<Float32Array[]> {
    if (texts.length > MAX_EMBED_TEXTS)
      throw invalidArgument("texts", `must have at most ${MAX_EMBED_TEXTS} texts`);
    signal?.throwIfAborted();
    const asked = texts.filter((text) => !isBlank(text)).map(fitted);
    const failed = new AbortController();
    const ended = { signal: signal ? AbortSignal.any([signal, failed.signal]) : failed.signal, workspace };
    try {
      const made = (await Promise.all(requestsOf(asked).map((some) => this.#documents(some, ended))))
        .flat()
        .values();
      const vectors: Float32Array[] = [];
      for (const text of texts)
        vectors.push(
          isBlank(text) ? await this.#zeros(ended) : present(made.next().value, "vector of a text"),
        );
      return vectors;
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#guard.close();
  }

  /** Like `#request`, but a refused text does not fail the others. */
  async #documents(texts: readonly string[], by: By): Promise<Float32Array[]> {
    try {
      return await this.#request(texts, "document", this.#bulk, by);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.#probe(by);
      return this.#apart(texts, by, error);
    }
  }

  /** Finds refused texts by bisection; a refused text gets a zero vector. */
  async #apart(texts: readonly string[], by: By, refusal: ServiceError): Promise<Float32Array[]> {
    if (texts.length === 1) {
      this.#log.warn(
        { reason: reasonOf(refusal), characters: itemAt(texts, 0).length },
        "a text gets no vector",
      );
      return [await this.#zeros(by)];
    }
    const vectors: Float32Array[] = [];
    const middle = Math.ceil(texts.length / 2);
    for (const half of [texts.slice(0, middle), texts.slice(middle)]) {
      try {
        append(vectors, await this.#request(half, "document", this.#bulk, by));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        append(vectors, await this.#apart(half, by, error));
      }
    }
    return vectors;
  }

  /** Throws UNAVAILABLE if the provider refuses every text. */
  async #probe(by: By): Promise<void> {
    try {
      await this.#request([PROBE], "document", this.#bulk, by);
    } catch (error) {
      throw isRefusal(error) ? this.#guard.blame(reasonOf(error)) : error;
    }
  }

  async #zeros(by: By): Promise<Float32Array> {
    if (this.#dimensions === undefined) await this.#probe(by);
    return new Float32Array(present(this.#dimensions, "number of dimensions"));
  }

  async #request(
    values: readonly string[],
    purpose: Purpose,
    manner: CallPolicy,
    { signal, workspace }: By,
  ): Promise<Float32Array[]> {
    const { provider, model } = this.#model;
    const call = await this.#loadCall();
    const facts = { provider, model, purpose, texts: values.length };
    const attempt = async (ended: AbortSignal) => {
      const { embeddings, tokens } = await call(values, purpose, ended).catch((error: unknown) => {
        throw error instanceof ProviderFault || ended.aborted
          ? error
          : new ProviderFault("input", "its answer is not a list of vectors");
      });
      this.#deps.count(workspace, { provider, model, kind: "embedding", prompt: tokens, completion: 0 });
      return this.#checked(embeddings, values.length);
    };
    return this.#guard.call(
      manner,
      (ended) => this.#deps.trace.step("ask provider", facts, () => attempt(ended)),
      signal,
    );
  }

  async #checked(embeddings: readonly (readonly number[])[], count: number): Promise<Float32Array[]> {
    if (embeddings.length !== count)
      throw new ProviderFault("input", `it returned ${embeddings.length} vectors for ${count} texts`);
    const vectors = embeddings.map(toUnit);
    const found = itemAt(vectors, 0).length;
    if (vectors.some(({ length }) => length !== found))
      throw new ProviderFault("input", "its vectors have different dimensions");
    this.#dimensions ??= await this.#deps.dimensionsOf(this.space.name, found);
    if (found !== this.#dimensions)
      throw new ProviderFault(
        "input",
        `its vectors have ${found} components, not ${this.#dimensions}: check CTXDB_EMBEDDING_DIMENSIONS`,
      );
    return vectors;
  }
}

function toUnit(embedding: readonly number[]): Float32Array {
  if (embedding.length < 1 || embedding.length > MAX_DIMENSIONS)
    throw new ProviderFault("input", `it returned a vector with ${embedding.length} components`);
  const length = Math.hypot(...embedding);
  if (!(length > 0 && Number.isFinite(length)))
    throw new ProviderFault("input", "it returned a vector that is zero or not finite");
  return Float32Array.from(embedding, (value) => value / length);
}

const isBlank = (text: string): boolean => text.trim() === "";

/** Truncates text to the model's limit, and removes lone surrogates, which JSON cannot represent. */
function fitted(text: string): string {
  let cut = text.slice(0, MAX_TEXT_LENGTH);
  for (let tokens = estimateTokens(cut); tokens > MAX_TEXT_TOKENS; tokens = estimateTokens(cut))
    cut = cut.slice(0, Math.floor((cut.length * MAX_TEXT_TOKENS) / tokens) - 1);
  return cut.toWellFormed();
}

function requestsOf(texts: readonly string[]): string[][] {
  const requests: string[][] = [];
  let room = 0;
  for (const text of texts) {
    const tokens = estimateTokens(text);
    const last = requests.at(-1);
    if (last && last.length < TEXTS_PER_REQUEST && tokens <= room) last.push(text);
    else {
      requests.push([text]);
      room = TOKENS_PER_REQUEST;
    }
    room -= tokens;
  }
  return requests;
}

const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === "EMBEDDING_FAILED";
const reasonOf = ({ cause }: ServiceError): string =>
  cause instanceof ProviderFault ? cause.message : "it gave no usable answer";
