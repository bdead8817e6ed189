import type { Caller } from "../caller.ts";
import { type Download, downloadOf } from "../downloads.ts";
import type { Fields } from "../fields.ts";
import {
  type ExportPackRequest,
  type ImportPackRequest,
  type ImportPackResponse,
  PackService,
} from "../gen/ctxdb/v1/pack_pb.ts";
import type { CallOptions } from "../options.ts";

/** Packs: archives of files and folders with their layers. */
export class Packs {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Exports a file or folder as a pack (zip). */
  async export(request: Fields<ExportPackRequest, "uri">, options?: CallOptions): Promise<Download> {
    return downloadOf(await this.#caller.stream(PackService.method.exportPack, request, options));
  }

  /** Imports an uploaded pack into the folder `parent`. */
  async import(
    request: Fields<ImportPackRequest, "parent">,
    options?: CallOptions,
  ): Promise<ImportPackResponse> {
    return (await this.#caller.write(PackService.method.importPack, request, options)).message;
  }
}
