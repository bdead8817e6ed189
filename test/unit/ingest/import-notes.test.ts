import { expect, it } from "vitest";
import { ImportNotes } from "../../../src/ingest/import-notes.ts";

it("the notes of an import are the first ones and the number of the others", () => {
  const notes = new ImportNotes();
  for (let file = 0; file < 5000; file++) notes.add([`${file}.epub: a`, `${file}.epub: b`]);
  expect([notes.told.length, notes.told[0], notes.told[499], notes.told[500]]).toEqual([
    501,
    "0.epub: a",
    "249.epub: b",
    "and 9500 more",
  ]);
});

it("the notes of an import have a limited length", () => {
  const notes = new ImportNotes();
  for (let file = 0; file < 100; file++) notes.add(["x".repeat(30_000)]);
  expect(notes.told.slice(2)).toEqual(["and 98 more"]);
});

it("notes that include others count what both have omitted", () => {
  const [all, some] = [new ImportNotes(), new ImportNotes()];
  all.add(Array(300).fill("a"));
  some.add(Array(700).fill("b"));
  all.include(some);
  expect([all.told.length, all.told[299], all.told[300], all.told.at(-1)]).toEqual([
    501,
    "a",
    "b",
    "and 500 more",
  ]);
});
