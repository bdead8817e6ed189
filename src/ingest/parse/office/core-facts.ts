import type { Document } from "../document.ts";
import type { Package } from "./package.ts";
import { textOfFirst, xmlRoot } from "./xml.ts";

/** Title, author, subject and language of an Office Open XML document. */
export async function coreFacts(parts: Package): Promise<Required<Pick<Document, "title" | "facts">>> {
  const core = await parts.text("docProps/core.xml");
  const root = core === undefined ? undefined : xmlRoot(core);
  const facts = [
    ["Author", textOfFirst(root, "dc:creator")],
    ["Subject", textOfFirst(root, "dc:subject")],
    ["Language", textOfFirst(root, "dc:language")],
  ] as const;
  return { title: textOfFirst(root, "dc:title"), facts };
}
