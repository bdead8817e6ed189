import type { Caller } from "../caller.ts";
import type { Fields } from "../fields.ts";
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

/** Snapshots: named states of folders that can be listed, read, compared and restored. */
export class Snapshots {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Creates a snapshot of a folder, or of the workspace. Nothing is copied. */
  async create(request: Fields<CreateSnapshotRequest, "name">, options?: CallOptions): Promise<Snapshot> {
    return (await this.#caller.write(SnapshotService.method.createSnapshot, request, options)).message;
  }

  /** Returns a page of snapshots, newest first. */
  async list(
    request: Fields<ListSnapshotsRequest> = {},
    options?: CallOptions,
  ): Promise<ListSnapshotsResponse> {
    return (await this.#caller.read(SnapshotService.method.listSnapshots, request, options)).message;
  }

  /** Returns one snapshot. */
  async get(request: Fields<GetSnapshotRequest, "name">, options?: CallOptions): Promise<Snapshot> {
    return (await this.#caller.read(SnapshotService.method.getSnapshot, request, options)).message;
  }

  /**
   * Lists the files and folders in a folder of a snapshot. To read a file, call `content.read` with
   * `snapshot`.
   */
  async entries(
    request: Fields<ListSnapshotEntriesRequest, "name">,
    options?: CallOptions,
  ): Promise<ListSnapshotEntriesResponse> {
    return (await this.#caller.read(SnapshotService.method.listSnapshotEntries, request, options)).message;
  }

  /** Compares a snapshot with a later one, or with the current state. */
  async diff(
    request: Fields<DiffSnapshotsRequest, "name">,
    options?: CallOptions,
  ): Promise<DiffSnapshotsResponse> {
    return (await this.#caller.read(SnapshotService.method.diffSnapshots, request, options)).message;
  }

  /** Restores a folder from a snapshot: changed files get a new version, added ones go to the trash. */
  async restore(
    request: Fields<RestoreSnapshotRequest, "name">,
    options?: CallOptions,
  ): Promise<RestoreSnapshotResponse> {
    return (await this.#caller.write(SnapshotService.method.restoreSnapshot, request, options)).message;
  }

  /** Deletes a snapshot, and content that no other snapshot needs. */
  async delete(
    request: Fields<DeleteSnapshotRequest, "name">,
    options?: CallOptions,
  ): Promise<DeleteSnapshotResponse> {
    return (await this.#caller.write(SnapshotService.method.deleteSnapshot, request, options)).message;
  }
}
