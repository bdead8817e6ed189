import type { Caller } from "../caller.ts";
import {
  type CreateSnapshotRequest,
  type DeleteSnapshotRequest,
  type DeleteSnapshotResponse,
  type DiffSnapshotsRequest,
  type DiffSnapshotsResponse,
  type GetSnapshotRequest,
  type ListSnapshotEntriesRequest,
  type ListSnapshotEntriesResponse,
  type ListSnapshotsRequest,
  type ListSnapshotsResponse,
  type RestoreSnapshotRequest,
  type RestoreSnapshotResponse,
  type Snapshot,
  SnapshotService,
} from "../gen/ctxdb/v1/snapshot_pb.ts";
import type { CallOptions } from "../options.ts";
import type { Fields } from "../request.ts";

/** Named states of folders that can be listed, read, compared and restored. */
export class Snapshots {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Names the present state of a folder, or of the workspace; nothing is copied. */
  async create(request: Fields<CreateSnapshotRequest, "name">, options?: CallOptions): Promise<Snapshot> {
    return (await this.#caller.write(SnapshotService.method.createSnapshot, request, options)).message;
  }

  /** A page, the newest snapshot first. */
  async list(
    request: Fields<ListSnapshotsRequest> = {},
    options?: CallOptions,
  ): Promise<ListSnapshotsResponse> {
    return (await this.#caller.read(SnapshotService.method.listSnapshots, request, options)).message;
  }

  /** One snapshot. */
  async get(request: Fields<GetSnapshotRequest, "name">, options?: CallOptions): Promise<Snapshot> {
    return (await this.#caller.read(SnapshotService.method.getSnapshot, request, options)).message;
  }

  /** The files and folders of a folder as they were. Read one with `content.read` and its `snapshot`. */
  async entries(
    request: Fields<ListSnapshotEntriesRequest, "name">,
    options?: CallOptions,
  ): Promise<ListSnapshotEntriesResponse> {
    return (await this.#caller.read(SnapshotService.method.listSnapshotEntries, request, options)).message;
  }

  /** What differs between a snapshot and a later one, or the present. */
  async diff(
    request: Fields<DiffSnapshotsRequest, "name">,
    options?: CallOptions,
  ): Promise<DiffSnapshotsResponse> {
    return (await this.#caller.read(SnapshotService.method.diffSnapshots, request, options)).message;
  }

  /** Makes a folder as it was: changed files get a new version, added ones go to the trash. */
  async restore(
    request: Fields<RestoreSnapshotRequest, "name">,
    options?: CallOptions,
  ): Promise<RestoreSnapshotResponse> {
    return (await this.#caller.write(SnapshotService.method.restoreSnapshot, request, options)).message;
  }

  /** Deletes a snapshot, with what only it kept. */
  async delete(
    request: Fields<DeleteSnapshotRequest, "name">,
    options?: CallOptions,
  ): Promise<DeleteSnapshotResponse> {
    return (await this.#caller.write(SnapshotService.method.deleteSnapshot, request, options)).message;
  }
}
