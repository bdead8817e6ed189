import { docParagraph } from "./doc-comment.ts";

const MAX_HEAD_LENGTH = 16 * 1024;
const MAX_HEAD_LINES = 120;
const COMMENT_LINE = /^\s{0,80}(?:\/\/|#(?!\[|include|define|if|end|pragma)|--|;|%|\*|REM\b|@rem\b|::)/i;
const BLOCK_BEGIN = /^\s{0,80}(?:\/\*|<!--|\(\*|--\[\[|\{-)/;
const BLOCK_END = /\*\/|-->|\*\)|\]\]|-\}/;

/** The first comment before any code that describes the file. */
export function headComment(text: string): string {
  const lines = text.slice(0, MAX_HEAD_LENGTH).split("\n", MAX_HEAD_LINES);
  let open: string[] = [];
  let isBlock = false;
  for (const line of lines) {
    const isComment = isBlock || COMMENT_LINE.test(line) || BLOCK_BEGIN.test(line);
    if (isComment) {
      // each block is a paragraph of its own: a licence often stands right above the description
      if (!isBlock && BLOCK_BEGIN.test(line)) open.push("");
      open.push(line.replace(BLOCK_BEGIN, "").replace(BLOCK_END, ""));
      isBlock = (isBlock || BLOCK_BEGIN.test(line)) && !BLOCK_END.test(line);
      continue;
    }
    const said = open.length > 0 ? docParagraph(open.join("\n")) : "";
    if (said !== "") return said;
    open = [];
    if (
      line.trim() !== "" &&
      !line.startsWith("#!") &&
      !/^\s{0,8}(?:package|use|import|syntax|<\?xml|---)/.test(line)
    )
      break;
  }
  return open.length > 0 ? docParagraph(open.join("\n")) : "";
}
