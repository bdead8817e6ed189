interface Page {
  readonly nextCursor?: string;
}

/** Yields every item of a paged list; requests the next page when the previous one is used up. */
export async function* allOf<P extends Page, T>(
  ask: (cursor: string | undefined) => Promise<P>,
  itemsOf: (page: P) => readonly T[],
): AsyncGenerator<T> {
  let cursor: string | undefined;
  do {
    const page = await ask(cursor);
    yield* itemsOf(page);
    if (page.nextCursor !== undefined && page.nextCursor === cursor)
      throw new Error(`the server repeats the cursor ${cursor}`);
    cursor = page.nextCursor;
  } while (cursor !== undefined && cursor !== "");
}
