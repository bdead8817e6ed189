import { lastOf } from "../../base/expect.ts";

/** The name of a file without its last extension; a name that is only an extension stays. */
export function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

/** The part after the last dot in lower case; "" without a dot or with nothing before it. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}

/** The first free one of `name`, `name_1`, `name_2` … */
export function freeName(wanted: readonly string[], isTaken: (name: string) => boolean): string {
  for (const name of wanted) if (!isTaken(name)) return name;
  const last = lastOf(wanted);
  for (let i = 1; ; i++) if (!isTaken(`${last}_${i}`)) return `${last}_${i}`;
}

/** The name of the text converted from a file: `<stem>.md` in the same directory, or the next free name. */
export const textName = (name: string, isTaken: (name: string) => boolean): string =>
  freeName([`${stemOf(name)}.md`, `${name}.md`], isTaken);

/** The name of the directory of a file's sections: `<stem>` in the same directory, or the next free name. */
export function sectionsName(name: string, isTaken: (name: string) => boolean): string {
  const stem = stemOf(name);
  return freeName(stem === name ? [`${stem}_sections`] : [stem, `${stem}_sections`], isTaken);
}
