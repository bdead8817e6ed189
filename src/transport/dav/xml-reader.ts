import { SaxesParser } from "saxes";
import { invalidArgument } from "../../domain/errors.ts";
import { attribute, escaped } from "./xml-text.ts";

/** Maximum bytes of an XML body, and number of its elements, depth and attributes. */
export const MAX_XML_BYTES = 64 * 1024;
const MAX_ELEMENTS = 1000;
const MAX_DEPTH = 32;
const MAX_ATTRIBUTES = 1000;
/**
 * Maximum length of a namespace in characters, because responses and stored properties repeat it for each
 * element.
 */
const MAX_NAMESPACE_LENGTH = 1024;
/**
 * Maximum length of an `xml:lang` in characters, because every element inside has it; the longest registered
 * language tag is much shorter.
 */
const MAX_LANGUAGE_LENGTH = 100;

/** An element with its namespace resolved. */
export interface RequestElement {
  readonly namespace: string;
  readonly name: string;
  readonly children: readonly RequestElement[];
  /** Text and elements in order. */
  readonly content: readonly (string | RequestElement)[];
  /** The start tag without brackets, including the namespaces it uses. */
  readonly tag: string;
  /** Name as written in the tag. */
  readonly shown: string;
  /** `xml:lang` of the element or its nearest ancestor. */
  readonly language: string | undefined;
}

interface Growing extends RequestElement {
  readonly children: RequestElement[];
  readonly content: (string | RequestElement)[];
}

const fault = (reason: string) => invalidArgument("body", reason);

/**
 * Parses a UTF-8 or UTF-16 document. Throws INVALID_ARGUMENT if it is not well-formed, has a document type
 * (so entities cannot be expanded and nothing is loaded), or exceeds the limits.
 */
export function parseXml(bytes: Uint8Array): RequestElement {
  const text = textOf(bytes);
  const parser = new SaxesParser({ xmlns: true, position: false });
  const open: Growing[] = [];
  let root: RequestElement | undefined;
  let count = 0;
  let attributeCount = 0;
  parser.on("error", (error) => {
    throw fault(`is not well-formed XML: ${error.message}`);
  });
  parser.on("doctype", () => {
    throw fault("must have no document type");
  });
  parser.on("attribute", () => {
    if (++attributeCount > MAX_ATTRIBUTES) throw fault(`has more than ${MAX_ATTRIBUTES} attributes`);
  });
  parser.on("opentag", (tag) => {
    if (++count > MAX_ELEMENTS) throw fault(`has more than ${MAX_ELEMENTS} elements`);
    if (open.length === MAX_DEPTH) throw fault(`has elements nested deeper than ${MAX_DEPTH}`);
    const above = open.at(-1);
    const used = new Map([[tag.prefix, tag.uri]]);
    const attributes: string[] = [];
    let language = above?.language;
    for (const { prefix, local, uri, name, value } of Object.values(tag.attributes)) {
      if (prefix === "xmlns" || name === "xmlns") continue;
      if (prefix === "xml" && local === "lang") language = languageIn(value);
      else if (prefix !== "" && prefix !== "xml") used.set(prefix, uri);
      attributes.push(attribute(name, value));
    }
    if ([...used.values()].some((uri) => uri.length > MAX_NAMESPACE_LENGTH))
      throw fault(`has a namespace of more than ${MAX_NAMESPACE_LENGTH} characters`);
    const namespaces = [...used].map(([prefix, uri]) =>
      attribute(prefix === "" ? "xmlns" : `xmlns:${prefix}`, uri),
    );
    const element: Growing = {
      namespace: tag.uri,
      name: tag.local,
      children: [],
      content: [],
      tag: tag.name + namespaces.join("") + attributes.join(""),
      shown: tag.name,
      language,
    };
    above?.children.push(element);
    above?.content.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  const onText = (piece: string) => void open.at(-1)?.content.push(piece);
  parser.on("text", onText);
  parser.on("cdata", onText);
  parser.write(text).close();
  if (root === undefined) throw fault("holds no XML element");
  return root;
}

function languageIn(value: string): string {
  if (value.length <= MAX_LANGUAGE_LENGTH) return value;
  throw fault(`has an xml:lang of more than ${MAX_LANGUAGE_LENGTH} characters`);
}

function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encoding = isUtf16 ? (first === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw fault(`is not valid ${encoding.toUpperCase()}`);
  }
}

/** Text of an element, without that of nested elements. */
export const textIn = ({ content }: RequestElement): string =>
  content.filter((piece) => typeof piece === "string").join("");

/** Content of an element as standalone XML: each element declares the namespaces it uses. */
export function contentOf({ content }: RequestElement, maxBytes: number): string {
  let length = 0;
  const pieces: string[] = [];
  const add = (piece: string) => {
    length += Buffer.byteLength(piece);
    if (length > maxBytes) throw fault(`has an element of more than ${maxBytes} bytes`);
    pieces.push(piece);
  };
  const write = (inner: readonly (string | RequestElement)[]): void => {
    for (const piece of inner) {
      if (typeof piece === "string") add(escaped(piece));
      else if (piece.content.length === 0) add(`<${piece.tag}/>`);
      else {
        add(`<${piece.tag}>`);
        write(piece.content);
        add(`</${piece.shown}>`);
      }
    }
  };
  write(content);
  return pieces.join("");
}
