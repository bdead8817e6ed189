import { Caller } from "../caller.ts";
import { Client, type Wire } from "../client.ts";
import type { Settings } from "../options.ts";
import { LocalContent, LocalPacks, LocalResources, LocalSkills } from "./local-groups.ts";

/** The client with functions that require Node: reading and writing local files. */
export class NodeClient extends Client {
  override readonly content: LocalContent;
  override readonly packs: LocalPacks;
  override readonly resources: LocalResources;
  override readonly skills: LocalSkills;

  constructor(wire: Wire, settings: Settings) {
    super(wire, settings);
    const caller = new Caller(wire.transport, settings);
    this.content = new LocalContent(caller);
    this.resources = new LocalResources(caller, wire.uploader(caller));
    this.packs = new LocalPacks(caller, this.resources);
    this.skills = new LocalSkills(caller, this.resources);
  }
}
