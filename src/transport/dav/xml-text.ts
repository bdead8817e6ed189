/** Characters not allowed in XML 1.0. */
const ILLEGAL = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const MARKUP: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

/** Escapes text for element content or an attribute; characters not allowed in XML become U+FFFD. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(ILLEGAL, "\ufffd")
    .replace(/[&<>"\r]/g, (character) => MARKUP[character] ?? character);

/** Formats an attribute, preceded by a space. */
export const attribute = (name: string, value: string): string =>
  ` ${name}="${escaped(value).replace(/[\t\n]/g, (space) => `&#${space.charCodeAt(0)};`)}"`;

/** Namespace of ctxdb's own properties. */
export const CTX_NAMESPACE = "https://ctxdb.dev/ns/dav";
export const DAV_NAMESPACE = "DAV:";
export const XML_TYPE = "application/xml; charset=utf-8";

const NAMESPACES = `${attribute("xmlns:D", DAV_NAMESPACE)}${attribute("xmlns:ctx", CTX_NAMESPACE)}`;

/** Start of a document; every response uses the prefixes `D` and `ctx`. */
export const documentStart = (root: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<D:${root}${NAMESPACES}>`;
export const documentEnd = (root: string): string => `</D:${root}>\n`;

export const xmlDocument = (root: string, content: string): string =>
  documentStart(root) + content + documentEnd(root);

/** `<D:status>` element in a multi-status response. */
export const statusElement = (status: number, reason: string): string =>
  `<D:status>HTTP/1.1 ${status} ${reason}</D:status>`;
