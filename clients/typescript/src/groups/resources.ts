import type { Caller } from "../caller.ts";
import type { Fields } from "../fields.ts";
import {
  type AddResourceRequest,
  type AddResourceResponse,
  type DeleteRefreshScheduleRequest,
  type DeleteRefreshScheduleResponse,
  type ListRefreshSchedulesRequest,
  type RefreshResourceRequest,
  type RefreshSchedule,
  ResourceService,
  type RunRefreshScheduleRequest,
  type ScheduleRefreshRequest,
  type UploadFileResponse,
} from "../gen/ctxdb/v1/resource_pb.ts";
import type { CallOptions } from "../options.ts";
import { sourceOf, type Uploadable } from "../sources.ts";
import type { Uploader, UploadOptions } from "../upload.ts";

export type NewResource = Fields<AddResourceRequest>;

/** Imports of files, folders, archives, web pages and repositories. */
export class Resources {
  readonly #caller: Caller;
  readonly #upload: Uploader;

  constructor(caller: Caller, upload: Uploader) {
    this.#caller = caller;
    this.#upload = upload;
  }

  /** Imports the source named by `path` on the server's side (a path or URL), or an upload (`tempPath`). */
  async add(request: NewResource, options?: CallOptions): Promise<AddResourceResponse> {
    return (await this.#caller.write(ResourceService.method.addResource, request, options)).message;
  }

  /** Stores a file for one hour. Pass the response's tempPath to `add`, `skills.add` or `packs.import`. */
  upload(file: Uploadable, options?: UploadOptions): Promise<UploadFileResponse> {
    return this.#upload(sourceOf(file), options);
  }

  /** Uploads a file and imports it. */
  async addFile(
    file: Uploadable,
    request: NewResource = {},
    options?: UploadOptions,
  ): Promise<AddResourceResponse> {
    const { tempPath } = await this.upload(file, options);
    return this.add({ ...request, tempPath }, options);
  }

  /** Imports a resource again from its source. */
  async refresh(
    request: Fields<RefreshResourceRequest, "uri">,
    options?: CallOptions,
  ): Promise<AddResourceResponse> {
    return (await this.#caller.write(ResourceService.method.refreshResource, request, options)).message;
  }

  /** Sets, changes, pauses or resumes the schedule by which a resource is imported again. */
  async schedule(
    request: Fields<ScheduleRefreshRequest, "uri">,
    options?: CallOptions,
  ): Promise<RefreshSchedule> {
    return (await this.#caller.write(ResourceService.method.scheduleRefresh, request, options)).message;
  }

  /** Returns schedules of resources that the caller may see, sorted by URI. */
  async schedules(
    request: Fields<ListRefreshSchedulesRequest> = {},
    options?: CallOptions,
  ): Promise<RefreshSchedule[]> {
    return (await this.#caller.read(ResourceService.method.listRefreshSchedules, request, options)).message
      .schedules;
  }

  /** Makes a scheduled refresh due now. Returns before it has run. */
  async runSchedule(
    request: Fields<RunRefreshScheduleRequest, "uri">,
    options?: CallOptions,
  ): Promise<RefreshSchedule> {
    return (await this.#caller.write(ResourceService.method.runRefreshSchedule, request, options)).message;
  }

  /** Deletes the schedule of a resource, but not the resource. */
  async deleteSchedule(
    request: Fields<DeleteRefreshScheduleRequest, "uri">,
    options?: CallOptions,
  ): Promise<DeleteRefreshScheduleResponse> {
    return (await this.#caller.write(ResourceService.method.deleteRefreshSchedule, request, options)).message;
  }
}
