import { EventLoopYielder } from "../base/event-loop.ts";
import { isObject } from "../base/expect.ts";
import { ServiceError } from "../domain/errors.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import type { SecretMode } from "../domain/secrets/policy.ts";
import { narrowedSteps, redactedSteps, widthOf } from "../domain/secrets/redact.ts";
import { type Secret, secretSteps } from "../domain/secrets/scan.ts";
import { type FoundIn, FoundSecrets } from "./found-secrets.ts";

/** How incoming content with secrets is handled. */
export interface SecretPolicy {
  readonly mode: SecretMode;
  /** Called once per operation that found secrets. */
  readonly onFound: (found: FoundSecrets) => void;
  /** Called for findings of background work, which has no call to report them. */
  readonly onUnreported: (found: FoundSecrets, workspace: WorkspaceId, about: BackgroundWork) => void;
}

export interface BackgroundWork {
  readonly operation: string;
  readonly requestId: string;
  readonly user: string;
}

/** Receives the findings of an operation; a call reports them to its caller and the audit log. */
export interface SecretReport {
  secrets?: FoundSecrets;
}

const NO_SECRETS: SecretPolicy = { mode: "off", onFound: () => undefined, onUnreported: () => undefined };

/** Searches incoming content of one workspace for secrets before it is stored. */
export class SecretGuard {
  readonly mode: SecretMode;
  readonly #policy: SecretPolicy;
  readonly #workspace: WorkspaceId;

  constructor(policy: SecretPolicy | undefined, workspace: WorkspaceId) {
    this.#policy = policy ?? NO_SECRETS;
    this.#workspace = workspace;
    this.mode = this.#policy.mode;
  }

  /** Runs an operation and reports its findings, even if it fails. */
  async watch<T>(report: SecretReport, work: (found: FoundSecrets) => Promise<T>): Promise<T> {
    const found = new FoundSecrets(this.mode);
    try {
      return await work(found);
    } finally {
      if (found.total > 0) {
        this.#policy.onFound(found);
        if (report.secrets) report.secrets.include(found);
        else report.secrets = found;
      }
    }
  }

  /** Reports findings of background work. */
  unreported({ secrets }: SecretReport, about: BackgroundWork): void {
    if (secrets) this.#policy.onUnreported(secrets, this.#workspace, about);
  }

  /**
   * The content to store instead of a text file. `from`: number of leading bytes that are already stored;
   * secrets that end within them are ignored. Throws SecretRefused if the policy refuses secrets.
   */
  async bytes<B extends Uint8Array>(
    bytes: B,
    place: FoundIn,
    found: FoundSecrets,
    from = 0,
  ): Promise<B | Buffer> {
    if (this.mode === "off") return bytes;
    return (await this.#replaced(bytes, place, found, from)) ?? bytes;
  }

  /** Like `bytes`. */
  async text(text: string, place: FoundIn, found: FoundSecrets): Promise<string> {
    if (this.mode === "off") return text;
    return (await this.#replaced(Buffer.from(text), place, found, 0))?.toString() ?? text;
  }

  /** The request to store instead of one with secrets in these fields. */
  async screenFields<K extends string, I extends { readonly [field in K]?: string | undefined }>(
    report: SecretReport,
    input: I,
    names: readonly K[],
    uri?: string,
  ): Promise<I> {
    if (this.mode === "off") return input;
    return this.watch(report, async (found) => {
      const screened = new Map<K, string>();
      for (const field of names) {
        const text = input[field];
        if (text !== undefined) screened.set(field, await this.text(text, { field, uri }, found));
      }
      return { ...input, ...Object.fromEntries(screened) };
    });
  }

  /** Like `bytes`, for all strings in a JSON value. */
  async json<T extends object>(value: T, place: FoundIn, found: FoundSecrets): Promise<T> {
    if (this.mode === "off") return value;
    const text = JSON.stringify(value);
    const after = await this.text(text, place, found);
    if (after === text) return value;
    try {
      return JSON.parse(after);
    } catch {
      // a secret may continue in the next string of the value
      return this.#eachText(value, place);
    }
  }

  /** Screens the texts and field names of a value one by one. */
  async #eachText<T>(value: T, place: FoundIn): Promise<T> {
    const texts = new Map<string, string>();
    JSON.stringify(value, (name, part: unknown) => {
      texts.set(name, name);
      if (typeof part === "string") texts.set(part, part);
      return part;
    });
    const uncounted = new FoundSecrets(this.mode);
    for (const text of texts.keys()) texts.set(text, await this.text(text, place, uncounted));
    const screened = (text: string): string => texts.get(text) ?? text;
    return JSON.parse(
      JSON.stringify(value, (_, part: unknown) => {
        if (typeof part === "string") return screened(part);
        return isObject(part)
          ? Object.fromEntries(Object.entries(part).map(([name, inner]) => [screened(name), inner]))
          : part;
      }),
    );
  }

  async #replaced(
    bytes: Uint8Array,
    place: FoundIn,
    found: FoundSecrets,
    from: number,
  ): Promise<Buffer | undefined> {
    const yielder = new EventLoopYielder(this.#workspace);
    // a message may have a thousand short texts, each of which is searched in one step
    await yielder.yieldIfDue();
    const width = widthOf(bytes);
    const unit = width === "utf-8" ? 1 : 2;
    const narrow = await yielder.through(narrowedSteps(bytes, width));
    const secrets = await yielder.through(secretSteps(narrow, Math.floor(from / unit)));
    const [first] = secrets;
    if (!first) return undefined;
    found.add(place, secrets);
    if (this.mode === "refuse") throw new SecretRefused(place, first, secrets.length);
    return this.mode === "redact" ? yielder.through(redactedSteps(bytes, secrets, width)) : undefined;
  }
}

/** Thrown for content with a secret if the policy refuses secrets. */
export class SecretRefused extends ServiceError {
  constructor({ field, uri }: FoundIn, { kind, line }: Secret, count: number) {
    const place = uri === undefined ? "" : `${uri}: `;
    const more = count > 1 ? ` and ${count - 1} more` : "";
    super(
      "INVALID_ARGUMENT",
      `${field}: ${place}line ${line} contains a secret (${kind})${more}; remove it and try again`,
      { field, reason: "secret", kind, line, ...(uri !== undefined && { resource: uri }) },
    );
  }
}
