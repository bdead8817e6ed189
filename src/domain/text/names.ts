import { lastOf } from "../../base/expect.ts";

/** The name of a file without its last extension; names that are all extension keep themselves. */
export function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

/** The part behind the last dot in lower case; "" where there is none or nothing before it. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}

/** `name`, `name_1`, `name_2` …: the first that is free. */
export function freeName(wanted: readonly string[], isTaken: (name: string) => boolean): string {
  for (const name of wanted) if (!isTaken(name)) return name;
  const last = lastOf(wanted);
  for (let i = 1; ; i++) if (!isTaken(`${last}_${i}`)) return `${last}_${i}`;
}

/** The name of the text made from a file: `<stem>.md` beside it, or the next free one. */
export const textName = (name: string, isTaken: (name: string) => boolean): string =>
  freeName([`${stemOf(name)}.md`, `${name}.md`], isTaken);

/** The name of the directory of sections made from a file: `<stem>` beside it, or the next free one. */
export function sectionsName(name: string, isTaken: (name: string) => boolean): string {
  const stem = stemOf(name);
  return freeName(stem === name ? [`${stem}_sections`] : [stem, `${stem}_sections`], isTaken);
}
