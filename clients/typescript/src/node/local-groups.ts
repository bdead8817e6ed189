import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Download } from "../downloads.ts";
import type { Fields } from "../fields.ts";
import type { ExportPackRequest, ImportPackRequest, ImportPackResponse } from "../gen/ctxdb/v1/pack_pb.ts";
import type { AddResourceResponse, UploadFileResponse } from "../gen/ctxdb/v1/resource_pb.ts";
import type { AddSkillRequest, AddSkillResponse } from "../gen/ctxdb/v1/skill_pb.ts";
import { Content } from "../groups/content.ts";
import { Packs } from "../groups/packs.ts";
import { type NewResource, Resources } from "../groups/resources.ts";
import { Skills } from "../groups/skills.ts";
import type { CallOptions } from "../options.ts";
import type { UploadSource } from "../sources.ts";
import type { UploadOptions } from "../upload.ts";

/** Result of a call that wrote a file. */
export interface Saved {
  readonly path: string;
  readonly contentType: string;
}

/** Loaded by the first upload, because other calls need neither zips nor ignore files. */
const sourceOfPath = async (path: string): Promise<UploadSource> =>
  (await import("./local-path.ts")).sourceOfPath(path);

export class LocalResources extends Resources {
  /**
   * Uploads a file, or a folder as a zip created on the fly. Omits hidden files, dependencies, links, and
   * files ignored by `.gitignore`.
   */
  async uploadPath(path: string, options?: UploadOptions): Promise<UploadFileResponse> {
    return this.upload(await sourceOfPath(path), options);
  }

  /** Uploads a local file or folder and imports it. */
  async addPath(
    path: string,
    request: NewResource = {},
    options?: UploadOptions,
  ): Promise<AddResourceResponse> {
    return this.addFile(await sourceOfPath(path), request, options);
  }
}

export class LocalSkills extends Skills {
  readonly #resources: LocalResources;

  constructor(caller: ConstructorParameters<typeof Skills>[0], resources: LocalResources) {
    super(caller);
    this.#resources = resources;
  }

  /** Uploads a skill document, or a folder that contains one, and stores the skill. */
  async addPath(
    path: string,
    request: Fields<AddSkillRequest> = {},
    options?: UploadOptions,
  ): Promise<AddSkillResponse> {
    const { tempPath } = await this.#resources.uploadPath(path, options);
    return this.add({ ...request, data: undefined, tempPath }, options);
  }
}

export class LocalContent extends Content {
  /** Downloads a file to a local path. The local file appears when it is complete. */
  async downloadTo(
    path: string,
    request: Parameters<Content["download"]>[0],
    options?: CallOptions,
  ): Promise<Saved> {
    return save(path, await this.download(request, options));
  }
}

export class LocalPacks extends Packs {
  readonly #resources: LocalResources;

  constructor(caller: ConstructorParameters<typeof Packs>[0], resources: LocalResources) {
    super(caller);
    this.#resources = resources;
  }

  /** Writes a pack to a local file, which appears when it is complete. */
  async exportTo(
    path: string,
    request: Fields<ExportPackRequest, "uri">,
    options?: CallOptions,
  ): Promise<Saved> {
    return save(path, await this.export(request, options));
  }

  /** Uploads a pack and imports it into the folder `parent`. */
  async importPath(
    path: string,
    request: Fields<ImportPackRequest, "parent">,
    options?: UploadOptions,
  ): Promise<ImportPackResponse> {
    const { tempPath } = await this.#resources.uploadPath(path, options);
    return this.import({ ...request, tempPath }, options);
  }
}

async function save(path: string, { contentType, bytes }: Download): Promise<Saved> {
  const part = `${path}.${randomBytes(6).toString("hex")}.part`;
  try {
    await pipeline(bytes, createWriteStream(part, { flags: "wx" }));
    await rename(part, path);
  } catch (thrown) {
    await rm(part, { force: true });
    throw thrown;
  }
  return { path, contentType };
}
