import type { Transport } from "@connectrpc/connect";
import { Caller } from "./caller.ts";
import { Access } from "./groups/access.ts";
import { Admin } from "./groups/admin.ts";
import { Changes } from "./groups/changes.ts";
import { Content } from "./groups/content.ts";
import { Fs } from "./groups/fs.ts";
import { Memories } from "./groups/memories.ts";
import { Observer } from "./groups/observer.ts";
import { Packs } from "./groups/packs.ts";
import { Relations } from "./groups/relations.ts";
import { Resources } from "./groups/resources.ts";
import { Search } from "./groups/search.ts";
import { Sessions } from "./groups/sessions.ts";
import { Skills } from "./groups/skills.ts";
import { Snapshots } from "./groups/snapshots.ts";
import { System } from "./groups/system.ts";
import { Tasks } from "./groups/tasks.ts";
import { Trash } from "./groups/trash.ts";
import { Webhooks } from "./groups/webhooks.ts";
import type { Settings } from "./options.ts";
import type { Uploader } from "./upload.ts";

/** A way to the server: what carries calls, what uploads, and how it ends. */
export interface Wire {
  readonly transport: Transport;
  readonly uploader: (caller: Caller) => Uploader;
  readonly close: () => void;
}

/** Everything a server does, by noun. */
export class Client {
  readonly access: Access;
  readonly admin: Admin;
  readonly changes: Changes;
  readonly content: Content;
  readonly fs: Fs;
  readonly memories: Memories;
  readonly observer: Observer;
  readonly packs: Packs;
  readonly relations: Relations;
  readonly resources: Resources;
  readonly search: Search;
  readonly sessions: Sessions;
  readonly skills: Skills;
  readonly snapshots: Snapshots;
  readonly system: System;
  readonly tasks: Tasks;
  readonly trash: Trash;
  readonly webhooks: Webhooks;
  readonly #close: () => void;

  constructor(wire: Wire, settings: Settings) {
    const caller = new Caller(wire.transport, settings);
    this.access = new Access(caller);
    this.admin = new Admin(caller);
    this.changes = new Changes(caller);
    this.content = new Content(caller);
    this.fs = new Fs(caller);
    this.memories = new Memories(caller);
    this.observer = new Observer(caller);
    this.packs = new Packs(caller);
    this.relations = new Relations(caller);
    this.resources = new Resources(caller, wire.uploader(caller));
    this.search = new Search(caller);
    this.sessions = new Sessions(caller);
    this.skills = new Skills(caller);
    this.snapshots = new Snapshots(caller);
    this.system = new System(caller);
    this.tasks = new Tasks(caller);
    this.trash = new Trash(caller);
    this.webhooks = new Webhooks(caller);
    this.#close = wire.close;
  }

  /** Ends the connection; calls that still run fail. */
  close(): void {
    this.#close();
  }
}
