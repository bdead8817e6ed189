/** The element around a block, which is untrusted data from documents and conversations. */
const NAME = "ctxdb-recall";
/** Anything in the text that could begin or end the element. Linear time. */
const BORDER = new RegExp(`<(?=[\\s/]*${NAME})`, "gi");

/** A recall block as inserted before a user's text; its content cannot end the element. */
export const framed = (block: string): string =>
  `<${NAME}>\n${block.replace(BORDER, "‹").trim()}\n</${NAME}>`;
