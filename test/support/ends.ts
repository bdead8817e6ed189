/** What was started and has to be ended, the last one first. */
export class Ends {
  readonly #all: (() => Promise<unknown>)[] = [];

  add(end: () => Promise<unknown>): void {
    this.#all.push(end);
  }

  /** Ends everything, even if some of it fails; failures are printed. */
  async run(): Promise<void> {
    for (const end of this.#all.splice(0).reverse())
      await end().catch((error: unknown) => process.stderr.write(`${error}\n`));
  }
}
