import type { BackupLocation } from "../../base/backup-location.ts";
import { before } from "../../base/deadline.ts";
import { codeOf, messageOf } from "../../base/faults.ts";
import type { Log } from "../../base/log.ts";
import { alreadyExists, failedPrecondition, ServiceError, unavailable } from "../../domain/errors.ts";
import type { BackupManifest } from "../../storage/backup/manifest.ts";
import type { BackupRepository } from "../../storage/backup/repository.ts";
import { Throttle } from "../../storage/backup/throttle.ts";
import { type BackupSource, writeBackup } from "../../storage/backup/write-backup.ts";
import { checkedLocation } from "./allowed-location.ts";

const HOUR_MS = 3_600_000;
/**
 * Interval in ms between checks whether a backup is due; a single timer would stop while the machine is
 * suspended.
 */
const LOOK_MS = 60_000;

export interface BackupSettings {
  readonly bytesPerSecond: number;
  /** Hours between scheduled backups; undefined if none. */
  readonly everyHours: number | undefined;
  /** Number of scheduled backups to keep. */
  readonly keep: number;
  /** Location of backups that name none; undefined: the backup folder. */
  readonly to: string | undefined;
  /** The bucket and prefix in which callers may name locations; undefined: none. */
  readonly objects: { readonly url: string } | undefined;
}

interface Deps {
  /**
   * Opens the backups of a location (default: the backup folder, created if missing); undefined if it has
   * none. `mayWrite`: only for the single task that writes to the location.
   */
  readonly open: (
    location: BackupLocation | undefined,
    mayWrite: boolean,
  ) => Promise<BackupRepository | undefined>;
  readonly source: BackupSource;
  readonly settings: BackupSettings;
  readonly version: string;
  readonly clock: () => number;
  readonly log: Log;
}

/** A running or failed backup. Times are Unix time in ms. */
export interface BackupAttempt {
  readonly name: string;
  /** As the caller named it; undefined: the backup folder. */
  readonly location: string | undefined;
  readonly scheduled: boolean;
  readonly startedAt: number;
  readonly addedBytes: number;
  readonly error: string | undefined;
}

/** Creates, schedules and removes backups; runs one such task at a time. */
export class Backups {
  readonly #deps: Deps;
  readonly #stop = new AbortController();
  #folder: Promise<BackupRepository> | undefined;
  #task: Promise<unknown> | undefined;
  #attempt: BackupAttempt | undefined;
  /** Unix time in ms of the last scheduled backup or attempt; undefined until the backups are read. */
  #lastScheduled: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastSuccess: number | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The running backup, or the last one if it failed. */
  get attempt(): BackupAttempt | undefined {
    return this.#attempt;
  }

  /** Time of the newest backup known to this process, Unix time in ms. */
  get lastSuccess(): number | undefined {
    return this.#lastSuccess;
  }

  /** Runs the schedule, if any, until `close`. */
  start(): void {
    if (this.#deps.settings.everyHours === undefined) return;
    this.#timer = setInterval(() => void this.runDue(), LOOK_MS);
    this.#timer.unref();
    void this.runDue();
  }

  /** Cancels the running task; the next backup reuses the stored objects. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort(new Error("the server stops"));
    await this.#task?.catch(() => undefined);
  }

  /** The location that a caller names, or else the configured one. */
  locationOf(named: string | undefined): string | undefined {
    return named ?? this.#deps.settings.to;
  }

  /**
   * Reads the backups of a location (see `locationOf`); undefined if there are none. Throws INVALID_ARGUMENT
   * or PERMISSION_DENIED for a location that callers may not name.
   */
  reading<T>(
    location: string | undefined,
    read: (found: BackupRepository) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#using(location, false, read);
  }

  /** Runs a task that writes to a location. Throws FAILED_PRECONDITION while another task runs. */
  writing<T>(location: string | undefined, write: (found: BackupRepository) => Promise<T>): Promise<T> {
    return this.#exclusive(async () => {
      const written = await this.#using(location, true, async (found) => ({ result: await write(found) }));
      if (!written) throw new Error("there is nothing to write to");
      return written.result;
    });
  }

  /**
   * Begins a backup; `done` settles when it ends, and rejects with ALREADY_EXISTS if the name is in use.
   * Throws FAILED_PRECONDITION while another task runs.
   */
  begin(
    name: string,
    {
      location = this.locationOf(undefined),
      scheduled = false,
    }: { location?: string | undefined; scheduled?: boolean } = {},
  ): { readonly done: Promise<BackupManifest> } {
    const write = async (repository: BackupRepository) => {
      if (await repository.isTaken(name)) throw alreadyExists("backup", name);
      return this.#write(repository, { name, location, scheduled });
    };
    return { done: this.writing(location, write) };
  }

  async #using<T>(
    location: string | undefined,
    mayWrite: boolean,
    work: (found: BackupRepository) => Promise<T>,
  ): Promise<T | undefined> {
    const { open, settings } = this.#deps;
    if (location === undefined) return work(await this.#openFolder());
    const found = await this.#opened(open(checkedLocation(location, settings.objects?.url), mayWrite));
    try {
      return found && (await work(found));
    } finally {
      await found?.close();
    }
  }

  #openFolder(): Promise<BackupRepository> {
    this.#folder ??= this.#opened(this.#deps.open(undefined, true)).then(
      (found) => {
        if (!found) throw new Error("the backup folder was not opened");
        return found;
      },
      (error) => {
        this.#folder = undefined;
        throw error;
      },
    );
    return this.#folder;
  }

  #opened<T>(opening: Promise<T>): Promise<T> {
    return opening.catch((error) => {
      const code = codeOf(error);
      throw code === "" || error instanceof ServiceError
        ? error
        : unavailable(`the backup folder cannot be written (${code}): check CTXDB_BACKUP_DIR`);
    });
  }

  #exclusive<T>(task: () => Promise<T>): Promise<T> {
    if (this.#task)
      throw failedPrecondition(
        "backups",
        "another backup is being written, verified or deleted; try again later",
      );
    const running = task().finally(() => {
      this.#task = undefined;
      // not before: who sees a complete backup may verify it at once
      if (this.#attempt?.error === undefined) this.#attempt = undefined;
    });
    running.catch(() => undefined);
    this.#task = running;
    return before(this.#stop.signal, running);
  }

  async #write(
    repository: BackupRepository,
    asked: Pick<BackupAttempt, "name" | "location" | "scheduled">,
  ): Promise<BackupManifest> {
    const { name, scheduled } = asked;
    const { source, settings, version, clock, log } = this.#deps;
    const attempt = { ...asked, startedAt: clock(), addedBytes: 0, error: undefined };
    this.#attempt = attempt;
    try {
      const throttle = new Throttle(settings.bytesPerSecond, this.#stop.signal);
      const backup = await writeBackup(repository, source, {
        name,
        version,
        scheduled,
        now: clock,
        throttle,
        onProgress: (addedBytes) => {
          this.#attempt = { ...attempt, addedBytes };
        },
      });
      this.#lastSuccess = backup.createdAt;
      const { records, contents, bytes, addedBytes, durationMs, lost } = backup;
      log.info({ name, records, contents, bytes, addedBytes, durationMs }, "backup written");
      if (lost.length > 0)
        log.error(
          { name, lost: lost.length },
          "contents are missing or damaged in the data directory: run ctxdb verify",
        );
      await this.#removeLeftovers(repository);
      return backup;
    } catch (error) {
      this.#attempt = { ...attempt, error: messageOf(error) };
      log.error({ err: error, name }, "a backup could not be written");
      throw error;
    }
  }

  /** Removes objects that interrupted backups have stored and no backup needs. */
  async #removeLeftovers(repository: BackupRepository): Promise<void> {
    if (this.#stop.signal.aborted) return;
    try {
      await repository.prune();
    } catch (error) {
      // the backup is complete
      this.#deps.log.warn({ err: error }, "objects of an interrupted backup could not be removed");
    }
  }

  /**
   * Creates a scheduled backup if one is due, and removes old ones. After a failure, the next backup is due
   * one interval later.
   */
  async runDue(): Promise<void> {
    const { settings, clock, log } = this.#deps;
    try {
      this.#lastScheduled ??= await this.#newestScheduled();
      if (this.#task || clock() - this.#lastScheduled < (settings.everyHours ?? 0) * HOUR_MS) return;
      this.#lastScheduled = clock();
      await this.begin(scheduledName(clock()), { scheduled: true }).done;
      await this.writing(settings.to, (repository) => this.#removeOld(repository));
    } catch (error) {
      if (!this.#stop.signal.aborted)
        log.error({ err: error }, "a scheduled backup or the removal of old ones failed");
    }
  }

  async #newestScheduled(): Promise<number> {
    const found = await this.reading(this.#deps.settings.to, (repository) => repository.list());
    const { backups } = found ?? { backups: [] };
    this.#lastSuccess ??= backups[0]?.createdAt;
    return backups.find(({ scheduled }) => scheduled)?.createdAt ?? 0;
  }

  async #removeOld(repository: BackupRepository): Promise<void> {
    const { backups } = await repository.list();
    const old = backups.filter(({ scheduled }) => scheduled).slice(this.#deps.settings.keep);
    for (const { name } of old) await repository.remove(name);
    if (old.length > 0) await repository.prune();
  }
}

/** Default name of a backup: `20261125-143000`. */
export const nameOf = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");

const scheduledName = (at: number): string => `scheduled-${nameOf(at)}`;
