import { ServiceError } from "../domain/errors.ts";

/** An item of a request that succeeds or fails as a whole. */
export interface ListedItem {
  /** Name of the list in the request. */
  readonly list: string;
  readonly index: number;
  readonly uri: string;
}

/** Runs work for an item; an error names the item. */
export function namingItem<T>(item: ListedItem, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refusedItem(error, item);
  }
}

/** An error that names the responsible item in its message, `details.index` and `details.uri`. */
export function refusedItem(error: unknown, { list, index, uri }: ListedItem): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { code, message, details = {}, http } = error;
  const item = `${list}[${index}]`;
  const field = typeof details.field === "string" ? { field: `${item}.${details.field}` } : {};
  return new ServiceError(
    code,
    `${item}: ${message}`,
    { ...details, ...field, index, uri },
    { http, cause: error },
  );
}

/** Throws if the list contains a URI twice. */
export function checkDistinct(items: readonly ListedItem[]): void {
  const seen = new Map<string, number>();
  for (const item of items) {
    const first = seen.get(item.uri);
    if (first !== undefined)
      throw refusedItem(
        new ServiceError("INVALID_ARGUMENT", `uri: ${item.uri} is also the URI of ${item.list}[${first}]`, {
          field: "uri",
          reason: "each URI may be given once",
        }),
        item,
      );
    seen.set(item.uri, item.index);
  }
}
