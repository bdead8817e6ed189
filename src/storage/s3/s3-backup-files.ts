import type { Clock } from "../../base/clock.ts";
import type { HttpAnswer } from "../../base/http-client.ts";
import { ServiceError, unavailable } from "../../domain/errors.ts";
import type { BackupFile, BackupFiles } from "../backup/backup-files.ts";
import { bytesOf } from "./multipart-upload.ts";
import type { S3Client } from "./s3-client.ts";
import type { S3Content } from "./s3-request.ts";

/** A content on the local disk: an object store needs its size and hash before its bytes. */
interface Spooled {
  readonly hash: string;
  readonly bytes: number;
  readonly open: S3Content["open"];
  readonly remove: () => Promise<void>;
}

interface Options {
  readonly client: S3Client;
  /** Prefix of all keys; ends with a slash unless it is empty. */
  readonly prefix: string;
  readonly clock: Clock;
  readonly spool: (content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => Promise<Spooled>;
}

/** The files of backups as objects below a prefix. An object appears only after it is stored completely. */
export class S3BackupFiles implements BackupFiles {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  async *list(prefix: string): AsyncGenerator<BackupFile> {
    const { client, prefix: home } = this.#options;
    // the manifests are at the first level, the objects below
    const pages = prefix === "" ? client.list(home, "/") : client.list(`${home}${prefix}`);
    for await (const { objects } of pages)
      for (const { key, bytes } of objects) yield { name: key.slice(home.length), bytes };
  }

  has(name: string): Promise<boolean> {
    return this.#options.client.has(this.#key(name));
  }

  async open(name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const answer = await this.#options.client.get(this.#key(name));
    return answer && partsOf(answer);
  }

  async put(
    name: (hash: string) => string,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    const spooled = await this.#options.spool(content);
    const { hash, bytes, open } = spooled;
    try {
      await this.#options.client.put(this.#key(name(hash)), { open, bytes, sha256: hash });
    } finally {
      await spooled.remove();
    }
  }

  commit(name: string, content: Uint8Array): Promise<void> {
    return this.#options.client.put(this.#key(name), bytesOf(content));
  }

  remove(name: string): Promise<void> {
    return this.#options.client.remove(this.#key(name));
  }

  async reclaim(): Promise<void> {
    const { client, prefix, clock } = this.#options;
    await client.abortAbandoned(prefix, clock());
  }

  async close(): Promise<void> {
    this.#options.client.close();
  }

  #key(name: string): string {
    return `${this.#options.prefix}${name}`;
  }
}

/** A broken connection does not mean that the object is damaged. */
async function* partsOf({ message, end }: HttpAnswer): AsyncGenerator<Uint8Array> {
  try {
    for await (const part of message) yield part;
  } catch (error) {
    const { message: text } = unavailable("the object store broke off; try again later");
    throw new ServiceError("UNAVAILABLE", text, {}, { cause: error });
  } finally {
    end();
  }
}
