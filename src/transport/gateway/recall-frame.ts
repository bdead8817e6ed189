/** The element around a block: data from documents and conversations of anybody. */
const NAME = "ctxdb-recall";
/** What could begin or end the element within its text. In linear time. */
const BORDER = new RegExp(`<(?=[\\s/]*${NAME})`, "gi");

/** A block of recall as it stands in front of what a user says; nothing in it can end it. */
export const framed = (block: string): string =>
  `<${NAME}>\n${block.replace(BORDER, "‹").trim()}\n</${NAME}>`;
