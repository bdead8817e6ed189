import { type Client, CtxdbError } from "@ctxdb/client";

/** How often a write is retried while others create and remove the same file. */
export const MAX_ATTEMPTS = 50;
/** Maximum number of parallel calls of one operation. */
const PARALLEL_CALLS = 8;
/** The server treats a file that begins with NUL as binary: it neither parses nor embeds the content. */
const BINARY = "\0";

export const isCode = (thrown: unknown, code: string): boolean =>
  thrown instanceof CtxdbError && thrown.code === code;

/** Returns the result of a call, or undefined if the server answers with this code. */
export async function unless<T>(code: string, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isCode(error, code)) return undefined;
    throw error;
  }
}

/** Processes all items, a few in parallel; returns the results in the order of the items. */
export async function inParallel<A, B>(items: Iterable<A>, act: (item: A) => Promise<B>): Promise<B[]> {
  const given = [...items];
  const results: B[] = [];
  for (let at = 0; at < given.length; at += PARALLEL_CALLS)
    results.push(...(await Promise.all(given.slice(at, at + PARALLEL_CALLS).map(act))));
  return results;
}

/** Returns a file of any size as text, or undefined if it does not exist. */
export async function readText(client: Client, uri: string): Promise<string | undefined> {
  return unless("NOT_FOUND", async () => {
    const { bytes } = await client.content.download({ uri });
    const pieces: Uint8Array[] = [];
    for await (const piece of bytes) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  });
}

/** Creates a file; returns false if there was one already. */
export async function createText(client: Client, uri: string, content: string): Promise<boolean> {
  return (
    (await unless("ALREADY_EXISTS", () => client.content.write({ uri, content, mode: "create" }))) !==
    undefined
  );
}

/** Writes a file, whether or not it exists. */
export async function putText(client: Client, uri: string, content: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const replaced = await unless("NOT_FOUND", () => client.content.write({ uri, content, mode: "replace" }));
    if (replaced !== undefined || (await createText(client, uri, content))) return;
  }
  throw new CtxdbError("FAILED_PRECONDITION", `${uri} was changed by others ${MAX_ATTEMPTS} times in a row`);
}

/** Removes a file, or a folder with everything in it; returns false if there was none. */
export async function remove(client: Client, uri: string): Promise<boolean> {
  return (await unless("NOT_FOUND", () => client.fs.rm({ uri, recursive: true }))) !== undefined;
}

/** Formats a JSON value as the text of a file whose content is not indexed. */
export const valueText = (value: unknown): string => BINARY + JSON.stringify(value);

export async function readValue(client: Client, uri: string): Promise<unknown> {
  const text = await readText(client, uri);
  return text === undefined ? undefined : toValue(text);
}

/** Parses a text formatted by `valueText`. */
export const toValue = (text: string): unknown => JSON.parse(text.replace(BINARY, ""));
