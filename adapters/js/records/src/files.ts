import { type Client, CtxdbError } from "@ctxdb/client";

/** How often a write is tried anew while others create and remove the same file. */
export const MAX_ATTEMPTS = 50;
/** Calls under way at once on behalf of one operation. */
const PARALLEL_CALLS = 8;
/** A file that begins with NUL is binary to the server: its content is neither parsed nor embedded. */
const BINARY = "\0";

export const isCode = (thrown: unknown, code: string): boolean =>
  thrown instanceof CtxdbError && thrown.code === code;

/** What a call gives, or undefined where the server answers with the code. */
export async function unless<T>(code: string, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isCode(error, code)) return undefined;
    throw error;
  }
}

/** Acts on every item, a few at once; the results in the order of the items. */
export async function inParallel<A, B>(items: Iterable<A>, act: (item: A) => Promise<B>): Promise<B[]> {
  const given = [...items];
  const results: B[] = [];
  for (let at = 0; at < given.length; at += PARALLEL_CALLS)
    results.push(...(await Promise.all(given.slice(at, at + PARALLEL_CALLS).map(act))));
  return results;
}

/** A file of any size as text; undefined where there is none. */
export async function readText(client: Client, uri: string): Promise<string | undefined> {
  return unless("NOT_FOUND", async () => {
    const { bytes } = await client.content.download({ uri });
    const pieces: Uint8Array[] = [];
    for await (const piece of bytes) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  });
}

/** Creates a file; whether nothing was there. */
export async function createText(client: Client, uri: string, content: string): Promise<boolean> {
  return (
    (await unless("ALREADY_EXISTS", () => client.content.write({ uri, content, mode: "create" }))) !==
    undefined
  );
}

/** Writes a file whether or not it is there. */
export async function putText(client: Client, uri: string, content: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const replaced = await unless("NOT_FOUND", () => client.content.write({ uri, content, mode: "replace" }));
    if (replaced !== undefined || (await createText(client, uri, content))) return;
  }
  throw new CtxdbError("FAILED_PRECONDITION", `${uri} was changed by others ${MAX_ATTEMPTS} times in a row`);
}

/** Removes a file, or a folder with all that it holds; whether there was one. */
export async function remove(client: Client, uri: string): Promise<boolean> {
  return (await unless("NOT_FOUND", () => client.fs.rm({ uri, recursive: true }))) !== undefined;
}

/** A JSON value as the text of a file whose content is not indexed. */
export const valueText = (value: unknown): string => BINARY + JSON.stringify(value);

export async function readValue(client: Client, uri: string): Promise<unknown> {
  const text = await readText(client, uri);
  return text === undefined ? undefined : toValue(text);
}

/** The value in a text that `valueText` made. */
export const toValue = (text: string): unknown => JSON.parse(text.replace(BINARY, ""));
