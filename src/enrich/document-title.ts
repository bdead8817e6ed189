import type { LayerSource } from "./layers.ts";
import { isHousekeeping, tidy, wordCount } from "./lead-sentence.ts";
import { says, withoutSigns } from "./sentence.ts";
import { normalised } from "./shorten.ts";
import { type TextOutline, withoutInlineMarks } from "./text-blocks.ts";

export const MAX_TITLE_LENGTH = 80;

/** Titles of parts that any document may have. */
const GENERIC_TITLE =
  /^(?:\W*)(?:features|highlights|key features|overview|introduction|about|description|readme|summary|name|table of contents?|terminology|the problem|problem|motivation|background|why\b.*)\W*$/i;

/**
 * Maximum words of a title that counts as generic: a longer one with a word like "support" names the subject.
 */
const MAX_RUNNING_WORDS = 3;
/** Words of a title about the file itself: `README for libpng`, `Libidn2 README -- Introduction`. */
const ABOUT_ITSELF =
  /^(?:(?:read ?me|release notes)(?: file)?(?:\s*[:–-]+\s*|\s+(?:for|of|on|to)\s+(?:the )?|\s+)(?=\S)|welcome to (?=\S)|this is (?:the )?(?=\S))|(?<=\S)\s+read ?me(?: file)?(?:\s+-.*)?$/i;
/** What the subject of an API page is. */
const KIND = /^(?:class|interface|function|module|type|enum|namespace|method):\s+/i;
/** A chapter and the title of its manual: `Closures (libffi: the portable interface)`. */
const BOOK = /^([^()]{1,80}) \(([^():]{1,40}): [^()]{1,120}\)$/;
/** The name of a site or manual after the title of a page. */
const SITE =
  /(?<=\S)\s+[|·»–—]\s+(?:[^|]{0,60}\b(?:documentation|docs|manual|reference|handbook|guide|blog)\b[^|]{0,30}|[^|]{0,40}\bv?\d+\.\d[^|]{0,40})$/i;
/** File names that do not describe the content. */
const GENERIC_STEM = /^(?:readme|index|main|default|untitled|document|page)(?: \p{L}{2})?$/iu;
/** Generated names: `mem_955bf19bb85e`, a UUID, a ULID. */
const MADE_STEM =
  /^(?:\p{L}{1,12}[ _-])?(?=[\da-z ]*\d)(?:[\da-f]{10,64}|[\da-f]{8}(?:[ -][\da-f]{4}){3}[ -][\da-f]{12}|[\da-hjkmnp-tv-z]{26})$/iu;

/**
 * The title as readable text; the words of the file name if the first heading only names a part; "" if both
 * are generic.
 */
export function titleOf(source: LayerSource, { headings, blocks }: TextOutline, stem: string): string {
  const [first] = headings;
  const isAtTop = first !== undefined && (blocks[0]?.section ?? first.section) >= first.section;
  const isHeading = first !== undefined && says(source.title, first.title);
  // the parser adds the alternative texts of images to a heading
  const isTitle = source.kind === "text" ? isAtTop : first?.level === 1 || (isAtTop && isHeading);
  const told = isTitle ? (first?.title ?? "") : "";
  const title = tidy(withoutSigns(withoutInlineMarks(told || (isHeading ? stem : source.title))))
    .replace(KIND, "")
    .replace(/^\d{1,4}(?:\.\d{1,4})*[.):]?\s+(?=\p{L})/u, "")
    .replace(/\s+\/$|(?<=\p{L}{3})\.$/gu, "")
    .replace(BOOK, (_, page: string, book: string) =>
      /^(?:top|index|start)$/i.test(page) ? book : `${page} (${book})`,
    )
    .replace(SITE, "")
    .replace(/\s*[:：]$|,?(?:\s+(?:version|release|v))?\s+v?\d+(?:\.\d+){1,3}$/i, "")
    .replace(ABOUT_ITSELF, "")
    .slice(0, MAX_TITLE_LENGTH * 2);
  const isRunning = isHousekeeping(title) && wordCount(title) <= MAX_RUNNING_WORDS;
  const isPart = title === "" || isRunning || GENERIC_TITLE.test(title) || title.endsWith("?");
  const chosen = isPart || title.endsWith("-") ? stem : title;
  return GENERIC_STEM.test(chosen) || MADE_STEM.test(chosen) ? "" : chosen;
}

const TITLE_AND_TAGLINE = /^(\S+(?: \S+){0,3}?)\s*(?::|\s[-–—]{1,3})\s+(?=\S+\s+\S+\s+\S)(.+)$/;

/** Splits a title with a description: `yamlint - checks YAML for style` in yamlint.md. */
export function splitTitle(
  whole: string,
  stem: string,
): { readonly title: string; readonly tagline: string } {
  const [, title = "", tagline = ""] = TITLE_AND_TAGLINE.exec(whole) ?? [];
  const isWord = !title.includes(" ");
  const name = title.replace(/\(\d\w?\)$/, "");
  const isName =
    (isWord && (GENERIC_STEM.test(stem) || (isPartOf(name, stem) && !says(stem, tagline)))) ||
    normalised(name) === normalised(stem);
  return title !== "" && isName ? { title, tagline } : { title: whole, tagline: "" };
}

/** Whether the words of a file name begin or end with a name. */
const isPartOf = (name: string, stem: string): boolean =>
  normalised(stem).startsWith(normalised(name)) || normalised(stem).endsWith(normalised(name));

/** `git-subtree - merge subtrees`, the content of the first section of a manual page. */
const NAME_LINE = /^(\S.{0,80}?)\s[-–—]{1,3}\s(\S.{5,300})$/;

/** Name and description from the NAME section of a manual page, in any markup. */
export function nameSection({
  blocks,
}: TextOutline): { readonly title: string; readonly about: string } | undefined {
  const block = blocks.slice(0, MAX_NAME_REACH).find(({ heading }) => /^name$/i.test(heading));
  const [, title, about] = NAME_LINE.exec(block?.text ?? "") ?? [];
  return title === undefined || about === undefined ? undefined : { title: tidy(title), about };
}

const MAX_NAME_REACH = 8;
