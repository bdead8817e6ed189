/** Characters that XML 1.0 cannot hold. */
const ILLEGAL = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const MARKUP: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

/** Text for the content of an element or an attribute; what XML cannot hold becomes U+FFFD. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(ILLEGAL, "\ufffd")
    .replace(/[&<>"\r]/g, (character) => MARKUP[character] ?? character);

/** An attribute with a space before it. */
export const attribute = (name: string, value: string): string =>
  ` ${name}="${escaped(value).replace(/[\t\n]/g, (space) => `&#${space.charCodeAt(0)};`)}"`;

/** Properties of the product. */
export const CTX_NAMESPACE = "https://ctxdb.dev/ns/dav";
export const DAV_NAMESPACE = "DAV:";
export const XML_TYPE = "application/xml; charset=utf-8";

const NAMESPACES = `${attribute("xmlns:D", DAV_NAMESPACE)}${attribute("xmlns:ctx", CTX_NAMESPACE)}`;

/** The start of a document; the prefixes `D` and `ctx` are those of every answer. */
export const documentStart = (root: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<D:${root}${NAMESPACES}>`;
export const documentEnd = (root: string): string => `</D:${root}>\n`;

export const xmlDocument = (root: string, content: string): string =>
  documentStart(root) + content + documentEnd(root);

/** `<D:status>` of a part of a multi-status answer. */
export const statusElement = (status: number, reason: string): string =>
  `<D:status>HTTP/1.1 ${status} ${reason}</D:status>`;
