import { buffer } from "node:stream/consumers";
import { zipOf } from "../../src/ingest/zip-writer.ts";

/** Builds a zip archive from texts by file name. */
export function archiveOf(members: Iterable<readonly [name: string, text: string]>): Promise<Buffer> {
  async function* inputs() {
    for (const [name, text] of members) {
      yield {
        name,
        modified: 0,
        read: async function* () {
          yield Buffer.from(text);
        },
      };
    }
  }
  return buffer(zipOf(inputs()));
}
