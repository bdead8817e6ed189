import { itemAt } from "../base/expect.ts";

interface Due {
  readonly at: number;
  readonly key: string;
}

/**
 * Keys ordered by due time, earliest first (a binary heap). May contain outdated times of a key; the caller
 * checks.
 */
export class DueTimes {
  #heap: Due[] = [];

  get size(): number {
    return this.#heap.length;
  }

  get first(): Due | undefined {
    return this.#heap[0];
  }

  add(at: number, key: string): void {
    this.#heap.push({ at, key });
    for (let child = this.#heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.#swapIfLater(parent, child)) return;
      child = parent;
    }
  }

  removeFirst(): void {
    const last = this.#heap.pop();
    if (!last || this.#heap.length === 0) return;
    this.#heap[0] = last;
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1;
      const right = left + 1;
      if (left >= this.#heap.length) return;
      const child =
        right < this.#heap.length && itemAt(this.#heap, right).at < itemAt(this.#heap, left).at
          ? right
          : left;
      if (!this.#swapIfLater(parent, child)) return;
      parent = child;
    }
  }

  clear(): void {
    this.#heap = [];
  }

  #swapIfLater(parent: number, child: number): boolean {
    const [above, below] = [itemAt(this.#heap, parent), itemAt(this.#heap, child)];
    if (above.at <= below.at) return false;
    this.#heap[parent] = below;
    this.#heap[child] = above;
    return true;
  }
}
