import { isObject } from "../base/expect.ts";

/**
 * Records are JSON: small, readable in a dump, fast to parse. Each kind has one decoder next to its type, for
 * the current format of the data directory (storage/disk/data-folder.ts). Fields added within a format are
 * optional; readers supply the default.
 */
export const encodeRecord = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/** Like encodeRecord, in two steps: a record may have megabytes. */
export function* recordSteps(value: unknown): Generator<undefined, Uint8Array> {
  const json = JSON.stringify(value);
  yield;
  return Buffer.from(json);
}

/** A stored record does not have the structure of its kind. */
export class DamagedRecord extends Error {
  /** The record's key, if the reader knows it; otherwise its kind. */
  readonly subject: string;
  readonly fault: string;

  constructor(kind: string, key: string | undefined, cause?: unknown) {
    const subject = key === undefined ? "a record" : `record ${key}`;
    const fault = `its value is not a valid ${kind}`;
    super(`${subject}: ${fault}; check the whole data directory with \`ctxdb verify\``, { cause });
    this.subject = subject;
    this.fault = fault;
  }
}

/** Fields of a record before validation. */
export type Unchecked<T> = { readonly [K in keyof T]?: unknown };

interface Reader {
  get(key: string): Uint8Array | undefined;
}

/** A kind of stored record, with its decoder. */
export class RecordKind<T> {
  readonly name: string;
  readonly #holds: (value: unknown) => value is T;
  readonly #shared = new WeakMap<Uint8Array, T>();

  /** `holds`: checks that a stored value has everything that readers rely on. */
  constructor(name: string, holds: (value: unknown) => boolean) {
    this.name = name;
    this.#holds = (value): value is T => holds(value);
  }

  /** The record of a key; undefined if missing. Throws DamagedRecord. */
  read(reader: Reader, key: string): T | undefined {
    const bytes = reader.get(key);
    return bytes === undefined ? undefined : this.decode(bytes, key);
  }

  /**
   * Like `read`, for frequently read records: decoded and checked once while the store keeps the same bytes
   * in memory (they never change, see KvReader). Read-only, because all readers share the object.
   */
  readShared(reader: Reader, key: string): T | undefined {
    const bytes = reader.get(key);
    return bytes === undefined ? undefined : this.decodeShared(bytes, key);
  }

  /** Like `decode`, but shared by all readers of the same bytes (see readShared). */
  decodeShared(bytes: Uint8Array, key?: string): T {
    const known = this.#shared.get(bytes);
    if (known !== undefined) return known;
    const value = this.decode(bytes, key);
    this.#shared.set(bytes, value);
    return value;
  }

  /** Decodes a record. Throws DamagedRecord naming `key`. */
  decode(bytes: Uint8Array, key?: string): T {
    return this.parse(text(bytes), key);
  }

  /** Decodes a record that was read as text. Throws DamagedRecord naming `key`. */
  parse(stored: string, key?: string): T {
    let value: unknown;
    try {
      value = JSON.parse(stored);
    } catch (error) {
      throw new DamagedRecord(this.name, key, error);
    }
    if (!this.#holds(value)) throw new DamagedRecord(this.name, key);
    return value;
  }
}

/** A kind of record that is an object. */
export const objects = <T extends object>(name: string, holds: (fields: Unchecked<T>) => boolean) =>
  new RecordKind<T>(name, (value) => isObject(value) && holds(value));

export const isNumber = (value: unknown): value is number => typeof value === "number";
export const isText = (value: unknown): value is string => typeof value === "string";
export const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
export const isNumbers = (value: unknown): value is number[] => Array.isArray(value) && value.every(isNumber);
/** Whether a value is an array; readers check its items. */
export const isList = (value: unknown): boolean => Array.isArray(value);
export const isMissingOr = (value: unknown, is: (value: unknown) => boolean): boolean =>
  value === undefined || is(value);

/** Records of a single number: limits of counters, partitions, dimensions. */
export const NUMBERS = new RecordKind<number>("number", isNumber);
export const TEXTS = new RecordKind<string>("text", isText);

export const text = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
