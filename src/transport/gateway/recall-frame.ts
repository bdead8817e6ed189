/** Element around a recall block, which contains untrusted data from documents and conversations. */
const NAME = "ctxdb-recall";
/** Matches anything in the text that could start or end the element. Linear time. */
const BORDER = new RegExp(`<(?=[\\s/]*${NAME})`, "gi");

/** A recall block as inserted before a user's text; its content cannot end the element. */
export const framed = (block: string): string =>
  `<${NAME}>\n${block.replace(BORDER, "‹").trim()}\n</${NAME}>`;
