import type { DescMessage } from "@bufbuild/protobuf";
import { invalidArgument, type ServiceError } from "../../domain/errors.ts";
import { plainWarning } from "../pipeline/warnings.ts";

/** Maximum number of warnings per request, plus one that says that there are more. */
const MAX_WARNINGS = 8;
/** Maximum length of a name and its path in a warning. */
const MAX_NAME_LENGTH = 80;
/** Maximum length of a name that is compared with field names. */
const MAX_COMPARED_LENGTH = 32;

/** Names that other systems use for a field; used for suggestions if the request has that field. */
const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ["limit", ["topk", "k", "n", "count", "size", "pagesize", "maxresults", "numresults"]],
  ["query", ["q", "question", "search", "prompt"]],
  ["content", ["text", "body", "data"]],
  ["uri", ["path", "url", "id"]],
]);

/** Collects unknown fields: the request is served with a warning, or refused (see isStrict). */
export class UnknownFields {
  readonly #known = new Set<string>();
  readonly #warnings: string[] = [];
  #refusal: ServiceError | undefined;

  /** The error of an operation that refuses unknown fields; undefined if there are none. */
  get refusal(): ServiceError | undefined {
    return this.#refusal;
  }

  /**
   * One warning per field, in printable ASCII without quotes and backslashes, so that it fits into a header.
   */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /**
   * Reports that `name` is not a field of `desc`. `path`: its location, such as `parts[1].txet`. The same
   * name in further list items is reported once.
   */
  addField(desc: DescMessage, name: string, path: string): void {
    const key = `${desc.typeName} ${name.slice(0, MAX_NAME_LENGTH + 1)}`;
    if (this.#known.has(key)) return;
    const near = this.#isFull ? undefined : nearest(name, desc);
    const meant = near === undefined ? "" : `; did you mean ${near}?`;
    this.#refusal ??= invalidArgument(
      plainWarning(path, MAX_NAME_LENGTH),
      `is not a field of this operation${meant}`,
    );
    this.#add(key, `unknown field: ${plainWarning(path, MAX_NAME_LENGTH)}${meant}`);
  }

  /** Reports other ignored input, as a sentence. */
  add(words: string): void {
    const warning = plainWarning(words, MAX_NAME_LENGTH);
    this.#refusal ??= invalidArgument("body", words);
    if (!this.#known.has(warning)) this.#add(warning, warning);
  }

  get #isFull(): boolean {
    return this.#warnings.length >= MAX_WARNINGS;
  }

  #add(key: string, warning: string): void {
    if (this.#warnings.length > MAX_WARNINGS) return;
    this.#warnings.push(this.#isFull ? "more fields are unknown" : warning);
    this.#known.add(key);
  }
}

/** The field of `desc` that was probably intended. */
function nearest(name: string, desc: DescMessage): string | undefined {
  if (name.length > MAX_COMPARED_LENGTH) return undefined;
  const wanted = folded(name);
  const fields = desc.fields.map((field) => field.name);
  const same = fields.find((field) => folded(field) === wanted);
  if (same !== undefined) return same;
  const other = fields.find((field) => OTHER_NAMES.get(field)?.includes(wanted));
  if (other !== undefined) return other;
  const allowed = wanted.length < 3 ? 0 : wanted.length < 6 ? 1 : 2;
  const [best] = fields
    .map((field) => ({ field, steps: stepsBetween(wanted, folded(field)) }))
    .filter(({ steps }) => steps <= allowed)
    .sort((a, b) => a.steps - b.steps);
  return best?.field ?? fields.find((field) => startsOther(wanted, folded(field)));
}

/** Normalizes a name: `targetUri`, `target-uri` and `TARGET_URI` are equal. */
const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

const startsOther = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= 4 && (a.startsWith(b) || b.startsWith(a));

/**
 * Edit distance with insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
 */
function stepsBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : replaced;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped));
    }
  }
  return at(a.length, b.length);
}
