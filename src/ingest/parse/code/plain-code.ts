import { firstSentence } from "./doc-comment.ts";
import { headComment } from "./head-comment.ts";
import type { Skeleton } from "./skeleton.ts";

const MAX_READ_LENGTH = 256 * 1024;
const MAX_DECLARATIONS = 200;
const MAX_SIGNATURE = 160;
/** A declaration at the beginning of a line, in languages without a grammar. */
const DECLARATION =
  /^(?:(?:export|public|private|internal|open|abstract|sealed|data|case|inline|local|static|final|override|suspend|async|pub|@objc)\s)*(?:sub|function|fun|def|defp|defmodule|class|object|trait|interface|protocol|message|service|rpc|enum|module|package|struct|contract|library|create (?:or replace )?(?:temporary |unlogged |materialized )?(?:table|view|function|procedure|type|trigger)|resource|variable|filter|@interface|@implementation)\s(?:if not exists\s)?["'`\w]/i;

/** Documentation within Perl code. */
const POD = /^=(?:head\d|pod|begin|over|item|for|encoding)\b[^\0]*?(?:^=cut\b[^\n]*|(?![^\0]))/gm;

/** Comment and declarations of a source file in a language without a grammar, found by lines. */
export function plainSkeleton(text: string): Skeleton {
  const code = text.slice(0, MAX_READ_LENGTH).replace(POD, "");
  const paragraph = headComment(code);
  const found: string[] = [];
  for (const line of code.split("\n")) {
    if (!DECLARATION.test(line.slice(0, MAX_SIGNATURE))) continue;
    const signature = line
      .slice(0, MAX_SIGNATURE)
      .trim()
      .replace(/\s*[{(=:;]?\s*$/, "");
    if (signature !== "" && found.push(signature) >= MAX_DECLARATIONS) break;
  }
  return { description: firstSentence(paragraph), paragraph, outline: found.join("\n") };
}
