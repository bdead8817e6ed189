import { itemAt } from "../../base/expect.ts";
import type { Connection } from "./connection.ts";

/**
 * Connections for loads of whole workspaces, separate from those for short statements: a load may take
 * minutes, and other workspaces must be taken over meanwhile.
 */
export class RowLoads {
  readonly #connections: readonly Connection[];
  /** Number of running and waiting loads by connection. */
  readonly #loads: number[];

  constructor(connections: readonly Connection[]) {
    this.#connections = connections;
    this.#loads = connections.map(() => 0);
  }

  /** See Connection.copy; uses the connection with the fewest loads. */
  async *copy(text: string): AsyncGenerator<Uint8Array> {
    const least = this.#loads.reduce((best, count, at, all) => (count < itemAt(all, best) ? at : best), 0);
    const add = (count: number) => {
      this.#loads[least] = itemAt(this.#loads, least) + count;
    };
    add(1);
    try {
      yield* itemAt(this.#connections, least).copy(text);
    } finally {
      add(-1);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}
