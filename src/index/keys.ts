import type { WorkspaceId } from "../domain/ids.ts";
import { idKey } from "../storage/key-numbers.ts";

/** Keys of the search index of one workspace; src/workspace/keys.ts lists them with all others. */
export class IndexKeys {
  readonly prefix: string;

  constructor(incarnation: WorkspaceId) {
    this.prefix = `w/${idKey(incarnation)}/`;
  }

  chunks = (partition: number): string => `${this.prefix}d/${idKey(partition)}/`;
  chunk = (partition: number, doc: number): string => `${this.chunks(partition)}${idKey(doc)}`;
  allChunks = (): string => `${this.prefix}d/`;
  allVectors = (): string => `${this.prefix}v/`;
  vectorsOf = (space: string): string => `${this.prefix}v/${space}/`;
  vectors = (space: string, partition: number): string => `${this.vectorsOf(space)}${idKey(partition)}/`;
  vector = (space: string, partition: number, doc: number): string =>
    `${this.vectors(space, partition)}${idKey(doc)}`;
  spaces = (): string => `${this.prefix}o`;
  partition = (owner: string): string => `${this.prefix}p/${owner}`;
  allPartitions = (): string => `${this.prefix}p/`;
  manifest = (partition: number): string => `${this.prefix}x/${idKey(partition)}`;
  allManifests = (): string => `${this.prefix}x/`;
  counter = (name: string): string => `${this.prefix}g/${name}`;
}
