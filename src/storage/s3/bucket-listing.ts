import { SaxesParser } from "saxes";

/** A page of the objects in a bucket. */
export interface ListingPage {
  readonly objects: readonly ListedObject[];
  /** Prefixes up to and including the delimiter. */
  readonly prefixes: readonly string[];
  /** Undefined on the last page. */
  readonly next: string | undefined;
}

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  /** Unix time in ms, by the object store's clock. */
  readonly writtenAt: number;
}

/** An XML parser for responses of an object store. Throws an Error for anything but XML. */
export function answerParser(): SaxesParser {
  const parser = new SaxesParser({ position: false });
  parser.on("error", (error) => {
    throw new Error(`the object store sent an invalid XML response: ${error.message}`);
  });
  return parser;
}

/** Parses a response to ListObjectsV2. Throws an Error for anything else. */
export function parseListing(xml: string): ListingPage {
  const objects: ListedObject[] = [];
  const prefixes: string[] = [];
  let next: string | undefined;
  let isListing = false;
  const path: string[] = [];
  let text = "";
  let fields: Record<string, string> = {};
  const parser = answerParser();
  parser.on("opentag", ({ name }) => {
    path.push(name);
    if (path.length === 1) isListing = name === "ListBucketResult";
    if (path.length === 2) fields = {};
    text = "";
  });
  parser.on("text", (more) => {
    text += more;
  });
  parser.on("closetag", ({ name }) => {
    path.pop();
    if (path.length === 2) fields[name] = text.trim();
    if (path.length !== 1) return;
    if (name === "Contents") objects.push(objectOf(fields));
    if (name === "CommonPrefixes" && fields.Prefix !== undefined) prefixes.push(fields.Prefix);
    if (name === "NextContinuationToken") next = text.trim();
  });
  parser.write(xml).close();
  if (!isListing) throw new Error("the object store did not send a list of objects");
  return { objects, prefixes, next };
}

function objectOf({ Key: key, Size: size, LastModified: modified }: Record<string, string>): ListedObject {
  const bytes = Number(size);
  const writtenAt = Date.parse(modified ?? "");
  if (key === undefined || !Number.isSafeInteger(bytes) || Number.isNaN(writtenAt))
    throw new Error("the object store listed an object without name, size or time");
  return { key, bytes, writtenAt };
}
