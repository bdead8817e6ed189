import { expect, it } from "vitest";
import { fileLayers } from "../../../src/enrich/file-layers.ts";
import type { LayerSource } from "../../../src/enrich/layers.ts";

const source = (text: string, more: Partial<LayerSource> = {}): LayerSource => ({
  kind: "markdown",
  title: "",
  text,
  outline: "",
  ...more,
});

it.each([
  [
    "README for libpng version 1.6\n==\n\nLibpng reads pictures in the PNG format.",
    "Libpng reads pictures in the PNG format.",
  ],
  ["Serde &emsp;\n==\n\nA framework for *ser*ializing data.", "Serde: A framework for serializing data."],
  ["# cfg\n\nA macro to define many `#[cfg]` parameters.", "A macro to define many #[cfg] parameters."],
  ["# [Crypto]: zeroize\n\nSecurely zeroes memory.", "Crypto: zeroize: Securely zeroes memory."],
  [
    "# safe\n\nDetect potentially\n[catastrophic](http://a.example)\n[slow](http://b.example)\nexpressions.",
    "safe: Detect potentially catastrophic slow expressions.",
  ],
  ["# heck is a case library\n\nThis library converts cases of letters.", "heck is a case library."],
  [
    "# Mime\n\nThe package contains:\n\n- The core database of common types, their file extensions, their icon names and parents.\n\nApplications ask Mime for icons.",
    "Applications ask Mime for icons.",
  ],
  [
    "# Pfm\n\nPfm helps convert from the name of an event, expressed as text, to the encoding of the event that is either the raw event as documented by the vendor or the encoding of the system.\n\nPfm is a helper library for events.",
    "Pfm is a helper library for events.",
  ],
])("the abstract of %j is a complete sentence of the document without marks", (text, abstract) => {
  expect(fileLayers(source(text, { title: "" }), "readme.md").abstract).toBe(abstract);
});

it.each([
  "This file is free software; as a special exception the author gives permission to copy it.",
  "For a more detailed change log, read Misc/NEWS.",
  "This is Valgrind version 3.19.0.",
  "Barring breakages and security fixes, this crate will no longer be updated.",
  "The repository was moved here from Sourceforge in September.",
])("the first sentence %j does not become the abstract of its document", (first) => {
  const text = `# Valgrind\n\n${first}\n\nValgrind is a framework for building dynamic analysis tools.`;
  expect(fileLayers(source(text, { title: "" }), "valgrind.md").abstract).toBe(
    "Valgrind is a framework for building dynamic analysis tools.",
  );
});

it("an underlined line above plain text is its title, and words below it are not part of the title", () => {
  const text =
    "Release notes for Valgrind\n~~~~~~~~~~\nIt finds errors in memory.\n\nOverview\n--------\nValgrind is a framework for tools.";
  expect(fileLayers(source(text, { kind: "text", title: "" }), "readme.txt").abstract).toBe(
    "Valgrind is a framework for tools.",
  );
});
