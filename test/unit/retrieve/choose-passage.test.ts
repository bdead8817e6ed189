import { describe, expect, it } from "vitest";
import { analyseQuery } from "../../../src/domain/text/analyse.ts";
import { askedOfPassage, chooseChunks } from "../../../src/retrieve/choose-passage.ts";
import { WeighedText } from "../../../src/retrieve/chunk-texts.ts";

const chunk = (text: string, fused: number) => ({ text, fused, weighed: new WeighedText(text) });
const chosen = (query: string, ...chunks: ReturnType<typeof chunk>[]) =>
  chooseChunks(chunks, askedOfPassage(query, new Map(analyseQuery(query).map((term) => [term, 1]))))?.best
    .text;

describe("the passage that is shown of a document", () => {
  it("the chosen passage is the section that answers the question, not a title with the same words", () => {
    const title = chunk("# FAISS lives in child processes\n\nStatus: accepted.", 0.8);
    const reason = chunk(
      "## Context\n\nFAISS runs in a child process because a crash of native code must not end the server.",
      0.75,
    );
    expect(chosen("why is FAISS in a child process?", title, reason)).toContain("because a crash");
  });

  it("the chosen passage is the best-scored one if no other contains more", () => {
    const best = chunk(
      "Refunds above 500 euros need a second approval by the finance team, whoever asks for them.",
      0.8,
    );
    const other = chunk(
      "Refunds are paid within three days to the card that was charged, whatever was bought with it.",
      0.5,
    );
    expect(chosen("who approves refunds above 500 euros?", best, other)).toContain("second approval");
  });

  it("the chosen passage is more than a heading if the document has text", () => {
    const heading = chunk("## The picture", 0.8);
    const text = chunk(
      "The picture shows how layers of the code depend on each other, from the transport down to the storage.",
      0.6,
    );
    expect(chosen("the picture", heading, text)).toContain("shows how layers");
  });

  it("the chosen passage is not a list of links if the document has text", () => {
    const links = chunk(
      "## See also\n\n* [install a package](/commands/install)\n* [package spec](/using/package-spec)\n" +
        "* [which package is installed](/commands/explain)\n",
      0.8,
    );
    const text = chunk("This command installs a package and every package that it depends on.", 0.62);
    expect(chosen("which package is installed?", links, text)).toContain("This command installs");
  });

  it("the chosen passage has the rare words of the query rather than the common ones", () => {
    const usual = chunk(
      "The key may be empty, and the key of a host has to be: a key in a file is read by everybody who may read " +
        "the file, so that the key is kept in the home folder of its owner and nowhere else.",
      0.8,
    );
    const rare = chunk(
      "With -p the passphrase of a private file is changed: the program asks for the file, for the old passphrase, " +
        "and twice for the new one. Other options are passed over, whatever they say.",
      0.75,
    );
    const weights = new Map([
      ["passphras", 6],
      ["key", 1],
      ["file", 1],
      ["home", 1],
    ]);
    expect(
      chooseChunks([usual, rare], askedOfPassage("change the passphrase of a key file at home", weights))
        ?.best.text,
    ).toContain("With -p");
  });

  it("the chosen passage is not a line of references if the document has text", () => {
    const references = chunk(
      "SEE ALSO\n\ngit-revert(1)\n\nGIT\n\nPart of the git(1) suite. GIT-CHERRY-PICK(1) 2.39.5",
      0.8,
    );
    const text = chunk(
      'When recording the commit, append a line that says "(cherry picked from commit …)" to the original commit ' +
        "message in order to indicate which commit this change was cherry-picked from. This is done only for cherry " +
        "picks without conflicts. Do not use this option if you are cherry-picking from your private branch.",
      0.75,
    );
    expect(chosen("git-cherry-pick -x", references, text)).toContain("append a line");
  });

  it("a second passage is chosen only if it answers nearly as well as the best", () => {
    const best = chunk("Refunds above 500 euros need a second approval by the finance team.".repeat(4), 0.8);
    const near = chunk(
      "Refunds of less than 500 euros are approved by the shop that sold the goods.".repeat(4),
      0.76,
    );
    const far = chunk(
      "The finance team meets on Mondays, and on the first of each month in the hall.".repeat(4),
      0.6,
    );
    const asked = askedOfPassage("who approves refunds?", new Map([["refund", 1]]));
    expect(chooseChunks([best, near], asked)?.next).toBe(near);
    expect(chooseChunks([best, far], asked)?.next).toBeUndefined();
  });

  it("no passage is chosen if no text can be read", () => {
    expect(
      chooseChunks([{ fused: 1, weighed: undefined }], askedOfPassage("x", new Map([["x", 1]]))),
    ).toBeUndefined();
  });
});
